import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { call } from '../../support/call.ts';
import { anOperator } from '../../support/people.ts';

type Registry = 'functions' | 'tools';

export interface Uploaded {
  readonly id: string;
  readonly registry: Registry;
  readonly operator: string;
  readonly url?: string;
}

export interface UploadOptions {
  readonly registry?: Registry;
  readonly isGlobal?: boolean;
  readonly access_grants?: readonly unknown[];
  readonly valves?: Readonly<Record<string, unknown>>;
  readonly url?: string;
}

export const example = (name: string) => readFileSync(`functions/plugins/examples/${name}.js`, 'utf8');
export const EVERYONE = [{ principal_type: 'user', principal_id: '*', permission: 'read' }];

/** Uploads a plugin and switches it on, as an operator does. */
export async function upload(content: string, options: UploadOptions = {}): Promise<Uploaded> {
  const { registry = 'functions', isGlobal = false, access_grants = [], valves, url } = options;
  const { token: operator } = await anOperator();
  const id = `p_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const as = { token: operator, url };
  const created = await call(`POST /api/v1/${registry}/create`, { id, content, access_grants }, as);
  expect(created.body).toMatchObject({ id });
  if (registry === 'functions') await call(`POST /api/v1/functions/id/${id}/toggle`, undefined, as);
  if (isGlobal) await call(`POST /api/v1/functions/id/${id}/toggle/global`, undefined, as);
  if (valves) await call(`POST /api/v1/${registry}/id/${id}/valves/update`, valves, as);
  return { id, registry, operator, url };
}

export const remove = ({ id, registry, operator, url }: Uploaded) =>
  call(`DELETE /api/v1/${registry}/id/${id}/delete`, undefined, { token: operator, url });
