/**
 * The plugin's side of the border. `guestSource` runs inside the empty context, before the plugin: it owns the only
 * link to the outside, a function that takes and gives text, and keeps it in a closure the plugin cannot reach.
 */
export const guestSource = String.raw`
(send, sleep) => {
  'use strict';
  const { parse, stringify } = JSON;
  const pending = new Map();
  const timers = new Map();
  let asked = 0;
  let timed = 0;
  let plugin;
  const post = (message) => {
    if (!send(stringify(message))) throw new Error('This is not JSON, or it is too long');
  };
  const ask = (call, name, data) => new Promise((resolve, reject) => {
    asked += 1;
    post({ type: 'ask', id: asked, call, name, data });
    pending.set(asked, { resolve, reject });
  });
  const describe = (error) => (error && typeof error === 'object' && 'message' in error ? String(error.message) : String(error)).slice(0, 4000);
  const print = (level) => (...parts) => post({ type: 'log', level, text: parts.map((p) => (typeof p === 'string' ? p : stringify(p))).join(' ').slice(0, 4000) });

  globalThis.console = Object.freeze({ log: print('info'), info: print('info'), debug: print('info'), warn: print('warn'), error: print('error') });
  globalThis.definePlugin = (definition) => definition;
  globalThis.setTimeout = (run, ms = 0, ...args) => {
    timed += 1;
    timers.set(timed, () => run(...args));
    sleep(timed, Math.min(Math.max(Number(ms) || 0, 0), 300000));
    return timed;
  };
  globalThis.clearTimeout = (id) => void timers.delete(id);

  const respond = (answer) => ({
    ...answer,
    ok: answer.status >= 200 && answer.status < 300,
    text: async () => answer.body,
    json: async () => parse(answer.body),
  });
  const contextOf = (call, given) => {
    const emit = (event) => ask(call, 'emit', event);
    // What was entered is a text that is also its own value entry; on the way here only the text survives.
    const entered = (reply) => (typeof reply === 'string' ? Object.assign(new String(reply), { value: reply }) : reply);
    const question = async (event) => {
      const reply = await ask(call, 'question', event);
      return event && event.type === 'input' ? entered(reply) : reply;
    };
    const fetch = async (url, options = {}) => respond(await ask(call, 'fetch', { url: String(url), ...options }));
    return { ...given, emit, ask: question, fetch, __event_emitter__: emit, __event_call__: question };
  };
  const find = (path) => path.split('.').reduce((at, name) => (at && Object.hasOwn(at, name) ? at[name] : undefined), plugin);
  const methodsOf = (value, path = '') => Object.entries(value).flatMap(([name, one]) => {
    const here = path ? path + '.' + name : name;
    if (typeof one === 'function') return [here];
    return one && typeof one === 'object' && !Array.isArray(one) ? methodsOf(one, here) : [];
  });
  const run = async ({ id, method, args }) => {
    const found = find(method);
    if (typeof found !== 'function') throw new Error('The plugin has no function ' + method);
    const holder = find(method.split('.').slice(0, -1).join('.')) ?? plugin;
    const context = contextOf(id, args.at(-1) ?? {});
    const value = await found.call(holder, ...args.slice(0, -1), context);
    if (!value || (typeof value[Symbol.asyncIterator] !== 'function' && (typeof value === 'string' || typeof value[Symbol.iterator] !== 'function' || Array.isArray(value)))) return value;
    for await (const part of value) post({ type: 'part', id, value: part });
    return undefined;
  };
  return {
    register(namespace) {
      plugin = namespace.plugin ?? namespace.default;
      if (!plugin || typeof plugin !== 'object') throw new Error('The module must export a plugin: export const plugin = definePlugin({ … })');
      post({ type: 'ready', plugin: { definition: parse(stringify(plugin)), methods: methodsOf(plugin) } });
    },
    deliver(text) {
      const message = parse(text);
      if (message.type === 'answer') {
        const waiting = pending.get(message.id);
        pending.delete(message.id);
        if (message.error === undefined) waiting?.resolve(message.value);
        else waiting?.reject(new Error(message.error));
        return;
      }
      run(message).then(
        (value) => post({ type: 'result', id: message.id, value }),
        (error) => post({ type: 'result', id: message.id, error: describe(error) }),
      ).catch((error) => post({ type: 'result', id: message.id, error: 'The plugin cannot answer: ' + describe(error) }));
    },
    ring(id) {
      const run = timers.get(id);
      timers.delete(id);
      Promise.resolve().then(run);
    },
    refuse: (error) => post({ type: 'refused', error: describe(error) }),
  };
}`;
