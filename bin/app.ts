import { App } from 'aws-cdk-lib';
import { BUILD, bundleAll } from '../infra/bundle.ts';
import { addChecks } from '../infra/checks.ts';
import { functionsOf } from '../infra/functions.ts';
import { createPlatform } from '../infra/platform.ts';
import { FAMILIES } from '../infra/family-list.ts';
import { JOBS } from '../infra/job-list.ts';
import { stageFrom } from '../infra/stage.ts';

/** The cloud host: `npx cdk deploy --all` bundles the functions and runs this. */
const description = { families: FAMILIES, jobs: JOBS };
await bundleAll(functionsOf(description));

const app = new App();
createPlatform(app, stageFrom(app.node), description, BUILD);
addChecks(app);
app.synth();
