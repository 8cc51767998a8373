// An action: a button below an answer. What it returns replaces the message.
export const plugin = definePlugin({
  name: 'Shorten',
  actions: [{ id: 'half', name: 'By half' }],

  action(body, { sub_id }) {
    const text = body.messages.at(-1).content;
    return { content: text.slice(0, sub_id === 'half' ? text.length / 2 : 10) };
  },
});
