import path from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  type FunctionProps,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ADDRESS_PARAMETER, SETTINGS_SECRET } from '../shared/settings/names.ts';
import { acknowledgeWildcard } from './acknowledge.ts';
import type { FunctionSpec } from './functions.ts';
import { allow, type Grant } from './grant.ts';
import { grantsFor, type Handles } from './grants.ts';
import { type Names, namesOf } from './names.ts';
import type { Stage } from './stage.ts';

/** Where functions are put: the installation, its bundles, and what other stacks handed over. */
export interface Site extends Handles {
  readonly stage: Stage;
  /** Holds one folder per function. */
  readonly bundles: string;
}

interface Extras {
  /** Rights that come from the function's event source rather than from its needs. */
  readonly source?: Grant;
  readonly props?: Partial<FunctionProps>;
}

/** The one way a function comes to be: same runtime, own role, own log, own name. Defaults first, the caller last. */
export class PlatformFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, spec: FunctionSpec, site: Site, extras: Extras = {}) {
    super(scope, `${spec.name}-function`);
    const names = namesOf(site.stage);
    const grants = [
      settingsGrant(site.stage, names),
      ...grantsFor(spec.needs, names, site),
      ...(extras.source ? [extras.source] : []),
    ];
    const logs = this.logGroup(names.logGroup(spec.name), site.stage);
    this.function = new LambdaFunction(this, 'Function', {
      functionName: names.function(spec.name),
      description: `${spec.kind} ${spec.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(path.join(site.bundles, spec.name)),
      handler: 'index.handler',
      role: this.role(logs, grants),
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      memorySize: spec.memory,
      timeout: Duration.seconds(spec.timeout),
      environment: Object.assign({}, ...grants.map((grant) => grant.environment)),
      ...extras.props,
    });
  }

  /** Logs are not data: they end with their retention, or with the function. */
  private logGroup(logGroupName: string, stage: Stage) {
    return new LogGroup(this, 'Logs', {
      logGroupName,
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private role(logs: LogGroup, grants: readonly Grant[]) {
    const write = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logs.logGroupArn);
    const statements = [write, ...grants.flatMap((grant) => grant.statements)];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { own: new PolicyDocument({ statements }) },
    });
    for (const { resource, reason } of grants.flatMap((grant) => grant.wildcards ?? [])) {
      acknowledgeWildcard(role, resource, reason);
    }
    return role;
  }
}

/** Every function reads its settings once per cold start: the secret, and the address unless a domain fixes it. */
function settingsGrant(stage: Stage, names: Names): Grant {
  const secret = allow(['secretsmanager:GetSecretValue'], names.settingsArn);
  const address = allow(['ssm:GetParameter'], names.addressParameterArn);
  const environment = { [SETTINGS_SECRET]: names.settings };
  if (stage.domain) {
    return { statements: [secret], environment: { ...environment, SVC_URL: `https://${stage.domain.name}` } };
  }
  return {
    statements: [secret, address],
    environment: { ...environment, [ADDRESS_PARAMETER]: names.addressParameter },
  };
}
