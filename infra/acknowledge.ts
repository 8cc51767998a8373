import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Accepts a finding of the AwsSolutions rules for one construct; the reason is for the reader of a review. */
export function acknowledge(construct: Construct, rule: string, reason: string) {
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}

/** A wildcard is accepted one resource at a time, so a new one on the same role is a new finding. */
export function acknowledgeWildcard(role: Construct, resource: string, reason: string) {
  acknowledge(role, `IAM5[Resource::${flat(Stack.of(role).resolve(resource))}]`, reason);
}

/** A resolved ARN the way the rule spells it: references in angle brackets, other functions as JSON. */
function flat(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isRecord(value) && typeof value.Ref === 'string') return `<${value.Ref}>`;
  const join = isRecord(value) ? value['Fn::Join'] : undefined;
  if (Array.isArray(join) && Array.isArray(join[1])) return join[1].map(flat).join(String(join[0]));
  return JSON.stringify(value);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
