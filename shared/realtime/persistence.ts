import type { UiEvent } from './event.ts';

/** What an event changes in the stored chat, apart from being shown. */
export type Persistence =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'append-text'; readonly text: string }
  | { readonly kind: 'append-items'; readonly field: ListField; readonly items: readonly unknown[] }
  | { readonly kind: 'set-fields'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'set-title'; readonly title: string }
  | { readonly kind: 'set-tags'; readonly tags: readonly string[] };

type ListField = 'statusHistory' | 'embeds' | 'sources' | 'code_executions';

const NOTHING: Persistence = { kind: 'nothing' };
const append = (field: ListField, items: readonly unknown[]): Persistence => ({ kind: 'append-items', field, items });
const set = (fields: Readonly<Record<string, unknown>>): Persistence => ({ kind: 'set-fields', fields });

export function persistence(event: UiEvent): Persistence {
  switch (event.type) {
    // A hidden status is history too; whether it is shown is the reader's decision.
    case 'status':
      return append('statusHistory', [event.data]);
    case 'message':
    case 'chat:message:delta':
      return { kind: 'append-text', text: event.data.content };
    case 'replace':
    case 'chat:message':
      return set({ content: event.data.content });
    case 'files':
    case 'chat:message:files':
      return set({ files: event.data.files });
    case 'embeds':
      return event.data.replace ? set({ embeds: event.data.embeds }) : append('embeds', event.data.embeds);
    case 'source':
    case 'citation':
      // A run of code reports several times under its id; the store keeps the latest.
      return append(event.data.type === 'code_execution' ? 'code_executions' : 'sources', [event.data]);
    case 'chat:message:favorite':
      return set({ favorite: event.data.favorite });
    case 'chat:title':
      return { kind: 'set-title', title: typeof event.data === 'string' ? event.data : event.data.title };
    case 'chat:tags':
      return { kind: 'set-tags', tags: Array.isArray(event.data) ? event.data : event.data.tags };
    case 'chat:message:embeds':
    case 'notification':
    case 'execute':
    case 'chat:completion':
    case 'chat:active':
    case 'chat:tasks:cancel':
    case 'chat:message:error':
    case 'chat:message:follow_ups':
    case 'chat:outlet':
      return NOTHING;
  }
}
