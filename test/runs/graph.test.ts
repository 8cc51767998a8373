import { expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { chain, edge, node, transform } from '../workflows/making.ts';
import { runGraph } from './running.ts';

test('a run walks the graph and gives the output of its end', async () => {
  const person = await aUser();
  const graph = chain({
    double: transform({ value: 'input["n"] * 2' }),
    add: transform({ value: 'nodes.double.output["value"] + 1' }),
  });
  const { run, steps } = await runGraph(
    person,
    { ...graph, configs: { ...graph.configs, end: { output: 'nodes.add.output["value"]' } } },
    { input: { n: 20 } },
  );
  expect(run).toMatchObject({
    status: 'succeeded',
    output: 41,
    error: null,
    version: 1,
    steps_done: 4,
    state: { input: { n: 20 }, _event: null },
  });
  expect(Object.values(steps).map(({ step_id, status }) => [step_id, status])).toEqual([
    ['add', 'succeeded'],
    ['double', 'succeeded'],
    ['end', 'succeeded'],
    ['start', 'succeeded'],
  ]);
});
