// A filter: asks the model to be polite, counts its answer's words and signs it.
export const plugin = definePlugin({
  name: 'Polite',
  description: 'Asks for polite answers and signs them.',
  priority: 0,
  valves: { signature: 'Yours, Atrium' },

  inlet(body) {
    const politely = { role: 'system', content: 'Be polite.' };
    return { ...body, messages: [politely, ...body.messages] };
  },

  stream(chunk) {
    const [choice] = chunk.choices ?? [];
    if (choice?.delta?.content) choice.delta.content = choice.delta.content.replaceAll('damn', 'dear');
    return chunk;
  },

  outlet(body, { valves }) {
    const last = body.messages.at(-1);
    last.content = `${last.content}\n\n${valves.signature}`;
    return body;
  },
});
