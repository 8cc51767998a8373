import { type App, Tags } from 'aws-cdk-lib';
import { DataStack } from './data.ts';
import { EdgeStack } from './edge.ts';
import type { Site } from './platform-function.ts';
import { type Description, functionsOf, streamFunctions } from './functions.ts';
import { HttpStack } from './http.ts';
import { JobsStack } from './jobs.ts';
import { MonitoringStack } from './monitoring.ts';
import { RealtimeStack, socketJobs } from './realtime.ts';
import type { Stage } from './stage.ts';
import { StreamStack } from './stream.ts';

/** The whole platform in the cloud: the same description that the local host runs. */
export function createPlatform(app: App, stage: Stage, description: Description, bundles: string) {
  functionsOf(description);
  const data = new DataStack(app, stage);
  const base: Site = { stage, bundles, sealKeyArn: data.sealKeyArn };
  const realtime = socketJobs(description).length > 0 ? new RealtimeStack(app, description, base) : undefined;
  const site = { ...base, socketApiId: realtime?.apiId };
  const http = new HttpStack(app, description, site);
  const stream = streamFunctions(description).length > 0 ? new StreamStack(app, description, site) : undefined;
  const jobs = new JobsStack(app, description, { ...site, streamArns: data.streamArns });
  const edge = new EdgeStack(app, stage, description, {
    httpApiId: http.apiId,
    streamHosts: stream?.hosts ?? new Map(),
    socketApiId: realtime?.apiId,
  });
  const monitoring = new MonitoringStack(app, stage, description, http.apiId);

  realtime?.addStackDependency(data);
  for (const stack of [http, stream, jobs]) {
    stack?.addStackDependency(data);
    if (realtime) stack?.addStackDependency(realtime);
  }
  for (const stack of [http, stream, realtime]) if (stack) edge.addStackDependency(stack);
  monitoring.addStackDependency(http);

  Tags.of(app).add('app', 'atrium');
  Tags.of(app).add('stage', stage.name);
  return { data, realtime, http, stream, jobs, edge, monitoring };
}

export type Platform = ReturnType<typeof createPlatform>;
