// A pipe: two models that need no server. They ask the user what is missing and stream their answer.
export const plugin = definePlugin({
  name: 'Travel',
  pipes: [
    { id: 'train', name: 'by train' },
    { id: 'foot', name: 'on foot' },
  ],

  async *pipe(body, { emit, ask }) {
    await emit({ type: 'status', data: { description: 'Asking for the way', done: false } });
    const where = await ask({
      type: 'input',
      data: { title: 'Destination', message: 'Where do you want to go?', placeholder: 'A town' },
    });
    const isSure = await ask({ type: 'confirmation', data: { title: 'Sure?', message: `Travel to ${where}?` } });
    await emit({ type: 'status', data: { description: 'Done', done: true } });
    if (!isSure) return void (yield 'Then stay.');
    yield `Go to ${where.value} `;
    yield body.model.endsWith('.train') ? 'by train.' : 'on foot.';
  },
});
