import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Every synth is measured against AWS's own advice; what we do otherwise is acknowledged where it is done. */
export function addChecks(app: App) {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
