import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { SettingName } from '../shared/settings/variables.ts';
import { acknowledge } from './acknowledge.ts';
import { namesOf } from './names.ts';
import type { Stage } from './stage.ts';

/** Secrets Manager makes up one value per secret, so those beyond the first come from a secret each. */
const SEEDS = ['ORIGIN_SECRET', 'ADMIN_SETUP_KEY'] as const satisfies readonly SettingName[];
const GENERATED = 'JWT_SECRET' satisfies SettingName;

/**
 * The settings of this installation as one JSON secret, filled with made-up values so that the first deployment runs.
 * Operators add their own keys to it. Never change its properties: CloudFormation would make it up again and drop theirs.
 */
export function createSettingsSecret(scope: Construct, stage: Stage) {
  const seeds = SEEDS.map((name) => [name, createSeed(scope, name, stage)] as const);
  const settings = new Secret(scope, 'settings-secret', {
    secretName: namesOf(stage).settings,
    description: 'Settings of the platform as JSON; read once per cold start',
    removalPolicy: stage.removal,
    generateSecretString: {
      ...RANDOM,
      secretStringTemplate: JSON.stringify(
        Object.fromEntries(seeds.map(([name, seed]) => [name, seed.secretValue.unsafeUnwrap()])),
      ),
      generateStringKey: GENERATED,
    },
  });
  acknowledge(
    settings,
    'SMG4',
    'A new JWT_SECRET ends every session, so operators rotate it by hand, with JWT_SECRET_PREVIOUS for the transition.',
  );
}

const RANDOM = { passwordLength: 86, excludePunctuation: true };

function createSeed(scope: Construct, name: string, stage: Stage) {
  const seed = new Secret(scope, `${name}-seed`, {
    description: `First value of ${name}`,
    removalPolicy: stage.removal,
    generateSecretString: RANDOM,
  });
  acknowledge(seed, 'SMG4', 'Only the first value of a setting; the setting itself lives in the settings secret.');
  return seed;
}
