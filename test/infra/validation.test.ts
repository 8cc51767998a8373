import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type App, CfnResource, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type IApplyRule, NagRuleCompliance } from 'cdk-nag';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, test } from 'vitest';
import { addChecks } from '../../infra/checks.ts';
import { SAMPLE } from './support/sample.ts';
import { build, REAL } from './support/synth.ts';

function reportOf({ app, outdir }: ReturnType<typeof build>) {
  addChecks(app);
  app.synth();
  const report = JSON.parse(readFileSync(path.join(outdir, 'validation-report.json'), 'utf8')) as {
    readonly pluginReports: readonly { readonly violations?: readonly unknown[] }[];
  };
  return report.pluginReports.flatMap(({ violations }) => violations ?? []);
}

describe('cdk-nag and the CloudFormation schemas find nothing', { timeout: 60_000 }, () => {
  test('in the platform as it is', () => {
    expect(reportOf(build(REAL, { validation: true }))).toEqual([]);
  });

  test('in a description that uses everything', () => {
    expect(reportOf(build(SAMPLE, { validation: true }))).toEqual([]);
  });

  test('and would find what is wrong', () => {
    const wrong = build(REAL, { validation: true });
    new Bucket(wrong.stacks.data, 'open-bucket');
    new CfnResource(wrong.stacks.data, 'misspelt', { type: 'AWS::SQS::Queue', properties: { VisibilityTimeoot: 1 } });
    addChecks(wrong.app);
    expect(() => wrong.app.synth()).toThrow(/AwsSolutions-S10[\s\S]*VisibilityTimeoot/);
  });
});

/** Reports what each rule finds, acknowledged or not. */
class Findings extends AwsSolutionsChecks {
  readonly all: { readonly path: string; readonly rule: string }[] = [];

  protected override applyRule(params: IApplyRule): void {
    const result = params.rule(params.node);
    const rule = `AwsSolutions-${params.ruleSuffixOverride}`;
    const rules = Array.isArray(result) ? result.map((finding) => `${rule}[${finding}]`) : [rule];
    if (Array.isArray(result) || result === NagRuleCompliance.NON_COMPLIANT) {
      this.all.push(...rules.map((found) => ({ path: params.node.node.path, rule: found })));
    }
  }
}

const acknowledgementsIn = (app: App) =>
  app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([rule, reason]) => ({ path: node.path, rule: rule.replace(/^annotation::/i, ''), reason })),
  );

describe('acknowledgements', () => {
  const { app } = build(SAMPLE);
  const findings = new Findings(app);
  Validations.of(app).addPlugins(findings);
  app.synth();
  const given = acknowledgementsIn(app);

  test('each answer a finding that is really there', () => {
    const idle = given.filter(
      ({ path: at, rule }) => !findings.all.some((found) => found.rule === rule && found.path.startsWith(at)),
    );
    expect(idle).toEqual([]);
  });

  test('each give a reason in a sentence', () => {
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter(({ reason }) => !/^[A-Z].{30,}\.$/.test(reason))).toEqual([]);
  });
});
