import { createConnections, type ConnectionParts } from '../../shared/connections/connections.ts';
import { readPlatform } from '../../shared/models/directory.ts';
import { pipelineServers } from '../../shared/plugins/pipeline-servers.ts';
import { createPipelines, type Pipelines } from './pipelines.ts';

let pipelines: Pipelines | undefined;

/** The composition root of everything that only remote pipelines need. */
export function remotePipelines(parts: ConnectionParts): Pipelines {
  const connections = createConnections(parts);
  return (pipelines ??= createPipelines({
    outbound: parts.outbound,
    servers: async () => pipelineServers(connections.usable((await readPlatform()).connections)),
    headers: (server) => connections.headers(server),
  }));
}
