/** What each kind of event changes in the message it belongs to. */
const append = (message, { content }) => ({ content: message.content + content });
const replace = (_message, { content }) => ({ content });
const setFiles = (_message, { files }) => ({ files });

const addEmbeds = (message, { embeds }) => ({ embeds: [...(message.embeds ?? []), ...embeds] });

/** The long name always appends; only the short one may replace. */
const changeEmbeds = (message, data) => (data.replace === true ? { embeds: data.embeds } : addEmbeds(message, data));

/** Runs of code report several times under one id; everything else is a citation. */
function addSource(message, data) {
  if (data.type !== 'code_execution') return { sources: [...(message.sources ?? []), data] };
  const runs = message.code_executions ?? [];
  const isKnown = runs.some(({ id }) => id === data.id);
  return { code_executions: isKnown ? runs.map((run) => (run.id === data.id ? data : run)) : [...runs, data] };
}

function complete(message, { content, done, sources, error, choices }) {
  const delta = choices?.[0]?.delta?.content;
  return {
    ...(typeof delta === 'string' && { content: message.content + delta }),
    ...(typeof content === 'string' && { content }),
    ...(Array.isArray(sources) && { sources: [...(message.sources ?? []), ...sources] }),
    ...(error && { error }),
    ...(done === true && { done: true }),
  };
}

const MESSAGE_EVENTS = {
  status: (message, data) => ({ statusHistory: [...(message.statusHistory ?? []), data] }),
  message: append,
  'chat:message:delta': append,
  replace,
  'chat:message': replace,
  files: setFiles,
  'chat:message:files': setFiles,
  embeds: changeEmbeds,
  'chat:message:embeds': addEmbeds,
  source: addSource,
  citation: addSource,
  'chat:message:favorite': (_message, { favorite }) => ({ favorite }),
  'chat:message:error': (_message, { error }) => ({ error }),
  'chat:message:follow_ups': (_message, { follow_ups }) => ({ followUps: follow_ups }),
  'chat:completion': complete,
};

export const isMessageEvent = (type) => Object.hasOwn(MESSAGE_EVENTS, type);

/** The message after the event; what came before is left as it was. */
export const applyEvent = (message, { type, data }) => ({ ...message, ...MESSAGE_EVENTS[type](message, data ?? {}) });

export const titleIn = (data) => (typeof data === 'string' ? data : data?.title);
export const tagsIn = (data) => (Array.isArray(data) ? data : (data?.tags ?? []));
