import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { type Description, functionsOf } from '../../../infra/functions.ts';
import { createPlatform, type Platform } from '../../../infra/platform.ts';
import { FAMILIES } from '../../../infra/family-list.ts';
import { JOBS } from '../../../infra/job-list.ts';
import { stageFrom } from '../../../infra/stage.ts';

/** What is really deployed. */
export const REAL: Description = { families: FAMILIES, jobs: JOBS };

const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };

/** What the CLI asks for unless told otherwise; `sam local` lives on it. */
const METADATA = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

interface Options {
  readonly context?: Readonly<Record<string, unknown>>;
  /** Also check the templates against CloudFormation's schemas, which takes seconds. */
  readonly validation?: boolean;
}

/** Builds the platform the way the CLI does, over bundles that are only stand-ins. Call it outside of tests. */
export function build(description: Description, { context = {}, validation = false }: Options = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'atrium-infra-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const app = new App({
    outdir: path.join(folder, 'cdk.out'),
    builtinCloudFormationValidation: validation,
    context: { ...flags, ...METADATA, ...context },
  });
  const stacks = createPlatform(app, stageFrom(app.node), description, standIns(folder, description));
  return { app, stacks, outdir: path.join(folder, 'cdk.out') };
}

function standIns(folder: string, description: Description) {
  const bundles = path.join(folder, 'bundles');
  for (const { name } of functionsOf(description)) {
    mkdirSync(path.join(bundles, name), { recursive: true });
    writeFileSync(path.join(bundles, name, 'index.mjs'), 'export const handler = async () => undefined;\n');
  }
  return bundles;
}

export interface Resource {
  readonly id: string;
  readonly stack: string;
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- templates are JSON of a hundred shapes
  readonly props: any;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Every resource of every stack, once. */
export function resourcesOf(stacks: Platform): readonly Resource[] {
  return Object.entries(stacks).flatMap(([stack, construct]) => {
    if (!construct) return [];
    const { Resources } = Template.fromStack(construct).toJSON() as { Resources: Record<string, RawResource> };
    return Object.entries(Resources).map(([id, { Type, Properties = {}, Metadata = {} }]) => ({
      id,
      stack,
      type: Type,
      props: Properties,
      metadata: Metadata,
    }));
  });
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
  readonly Metadata?: Record<string, unknown>;
}

export const ofType = (resources: readonly Resource[], type: string, stack?: string) =>
  resources.filter((resource) => resource.type === type && (stack === undefined || resource.stack === stack));

/** A value as people read it: references in angle brackets, joins joined. */
export function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = ['', undefined]] = Object.entries(value);
  if (name === 'Ref') return `<${String(argument)}>`;
  if (name === 'Fn::GetAtt' && Array.isArray(argument)) return `<${argument.join('.')}>`;
  if (name === 'Fn::Join' && Array.isArray(argument))
    return (argument[1] as unknown[]).map(plain).join(String(argument[0]));
  if (name === 'Fn::GetStackOutput') {
    const { StackName, OutputName } = argument as { StackName: string; OutputName: string };
    return `<${StackName}.${OutputName}>`;
  }
  return JSON.stringify(value);
}

export interface Statement {
  readonly Effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly Condition?: unknown;
}

/** What the role of a function, or any role or policy, says. */
export function statementsOf({ props }: Resource): readonly Statement[] {
  const documents = [props.PolicyDocument, ...(props.Policies ?? []).map((one: PolicyEntry) => one.PolicyDocument)];
  return documents
    .filter((document) => document !== undefined)
    .flatMap((document: { Statement: RawStatement[] }) => document.Statement)
    .map(({ Effect, Action, Condition, Resource: resource }) => ({
      Effect,
      Condition,
      actions: [Action].flat(),
      resources: [resource].flat().map(plain),
    }));
}

interface PolicyEntry {
  readonly PolicyDocument: unknown;
}

interface RawStatement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}
