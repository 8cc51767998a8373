import { type App, Fn, Stack } from 'aws-cdk-lib';
import { FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { PlatformFunction, type Site } from './platform-function.ts';
import { type Description, streamFunctions } from './functions.ts';
import { handOver, namesOf } from './names.ts';

/** Streaming families on function URLs: the HTTP API would hold an answer back until it is whole. */
export class StreamStack extends Stack {
  /** The host of each function, by its name. */
  readonly hosts: ReadonlyMap<string, string>;

  constructor(app: App, description: Description, site: Site) {
    super(app, namesOf(site.stage).stack('stream'));
    this.hosts = new Map(
      streamFunctions(description).map((spec) => {
        const { function: target } = new PlatformFunction(this, spec, site);
        // Signed origins would ask every client for a hash of its body, which no chat SDK sends; the handler checks
        // the distribution's secret header instead, before anything else.
        const { url } = target.addFunctionUrl({
          authType: FunctionUrlAuthType.NONE,
          invokeMode: InvokeMode.RESPONSE_STREAM,
        });
        return [spec.name, handOver(this, `${spec.name.replaceAll(/\W/g, '')}Host`, Fn.select(2, Fn.split('/', url)))];
      }),
    );
  }
}
