import { fromEnvironment } from '../settings/environment.ts';

/** The SDK's own variables decide where a service lives, so the same code runs on both hosts. */
export function endpointOf(service: string, host = service): URL {
  const variable = `AWS_ENDPOINT_URL_${service.toUpperCase().replaceAll(/[ -]/g, '_')}`;
  const configured = fromEnvironment(variable) ?? fromEnvironment('AWS_ENDPOINT_URL');
  return new URL(configured ?? `https://${host}.${region()}.amazonaws.com`);
}

export const region = () => fromEnvironment('AWS_REGION') ?? fromEnvironment('AWS_DEFAULT_REGION') ?? 'us-east-1';

/** Lambda puts its role's credentials into the environment; the local host puts its own there. */
export function credentials() {
  return {
    accessKeyId: fromEnvironment('AWS_ACCESS_KEY_ID') ?? '',
    secretAccessKey: fromEnvironment('AWS_SECRET_ACCESS_KEY') ?? '',
    sessionToken: fromEnvironment('AWS_SESSION_TOKEN'),
  };
}
