// A tool set: the model may order something, but only when the user agrees.
export const plugin = definePlugin({
  name: 'Orders',
  valves: { limit: 100 },
  tools: {
    order: {
      description: 'Order an article for the user',
      parameters: {
        type: 'object',
        properties: { article: { type: 'string' }, price: { type: 'number' } },
        required: ['article', 'price'],
      },
      async run({ article, price }, { ask, emit, valves }) {
        if (price > valves.limit) throw new Error(`Nothing above ${valves.limit} can be ordered`);
        const agreed = await ask({
          type: 'confirmation',
          data: { title: 'Order', message: `Order ${article} for ${price}?` },
        });
        if (!agreed) return 'The user said no.';
        await emit({ type: 'notification', data: { type: 'success', content: `${article} is ordered` } });
        return { ordered: article, price };
      },
    },
  },
});
