import { AppError, notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Settings } from '../../shared/settings/variables.ts';

/** What the checks ask of the outside. */
export interface Probes {
  /** One real read of a table. */
  readTable(): Promise<void>;
}

type OpsSettings = Pick<
  Settings,
  | 'ENV'
  | 'SVC_NAME'
  | 'DEFAULT_LOCALE'
  | 'ENABLE_SIGNUP'
  | 'ENABLE_API_KEYS'
  | 'OAUTH_CLIENT_ID'
  | 'OAUTH_PROVIDER_NAME'
> &
  Pick<
    Settings,
    | 'GOOGLE_CLIENT_ID'
    | 'MICROSOFT_CLIENT_ID'
    | 'WEB_SEARCH_ENGINE'
    | 'ENABLE_CODE_INTERPRETER'
    | 'IMAGES_COMPAT_API_BASE_URL'
    | 'ENABLE_MEMORIES'
  > &
  Pick<Settings, 'AUDIO_TTS_ENGINE' | 'AUDIO_TTS_VOICE' | 'AUDIO_STT_ENGINE'>;

export async function checkHealth(probes: Probes) {
  try {
    await probes.readTable();
  } catch (cause) {
    throw new AppError('dependency_unavailable', 'The database does not answer', { cause });
  }
  return { status: true as const };
}

export function demandDev({ ENV }: Pick<Settings, 'ENV'>) {
  if (ENV !== 'dev') throw notFound('Page');
}

export function clientConfig(settings: OpsSettings, version: string, actor: UserActor | OperatorActor | undefined) {
  const handshake = {
    status: true as const,
    name: settings.SVC_NAME,
    version,
    default_locale: settings.DEFAULT_LOCALE,
    oauth: { providers: oauthProviders(settings), auto_redirect: false },
  };
  const features = {
    auth: true,
    auth_trusted_header: false,
    enable_signup_password_confirmation: false,
    enable_ldap: false,
    enable_signup: settings.ENABLE_SIGNUP,
    enable_login_form: true,
    enable_websocket: true,
  };
  if (!actor) return { ...handshake, features };
  return { ...handshake, features: { ...features, ...signedInFeatures(settings) }, ...signedInParts(settings) };
}

function oauthProviders(settings: OpsSettings) {
  const configured = [
    ['oidc', settings.OAUTH_CLIENT_ID, settings.OAUTH_PROVIDER_NAME],
    ['google', settings.GOOGLE_CLIENT_ID, 'Google'],
    ['microsoft', settings.MICROSOFT_CLIENT_ID, 'Microsoft'],
  ] as const;
  return Object.fromEntries(configured.filter(([, client]) => client).map(([id, , label]) => [id, label]));
}

const signedInFeatures = (settings: OpsSettings) => ({
  enable_api_keys: settings.ENABLE_API_KEYS,
  enable_password_change_form: true,
  enable_direct_connections: false,
  enable_folders: true,
  enable_channels: false,
  enable_notes: false,
  enable_web_search: settings.WEB_SEARCH_ENGINE !== '',
  enable_code_execution: settings.ENABLE_CODE_INTERPRETER,
  enable_code_interpreter: settings.ENABLE_CODE_INTERPRETER,
  enable_image_generation: settings.IMAGES_COMPAT_API_BASE_URL !== '',
  enable_memories: settings.ENABLE_MEMORIES,
  enable_community_sharing: false,
  enable_message_rating: true,
});

const signedInParts = (settings: OpsSettings) => ({
  default_models: '',
  default_prompt_suggestions: [],
  audio: {
    tts: { engine: settings.AUDIO_TTS_ENGINE, voice: settings.AUDIO_TTS_VOICE, split_on: 'punctuation' },
    stt: { engine: settings.AUDIO_STT_ENGINE },
  },
  file: { max_size: null, max_count: null },
  permissions: {},
});
