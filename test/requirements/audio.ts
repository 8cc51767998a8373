import type { Statement } from './requirement.ts';

export const audio = {
  'audio/stt-engine-local': 'An empty AUDIO_STT_ENGINE uses the local speech-to-text engine',
  'audio/stt-engine-compat': 'AUDIO_STT_ENGINE=compat transcribes through the compatible engine',
  'audio/stt-engine-azure': 'AUDIO_STT_ENGINE=azure transcribes through azure',
  'audio/stt-engine-deepgram': 'AUDIO_STT_ENGINE=deepgram transcribes through deepgram',
  'audio/stt-engine-mistral': 'AUDIO_STT_ENGINE=mistral transcribes through mistral',
  'audio/local-model': 'LOCALSTT_MODEL takes tiny, base, small, medium or large and defaults to base',
  'audio/local-compute-type': 'LOCALSTT_COMPUTE_TYPE takes int8, float16, int8_float16 or float32 and defaults to int8',
  'audio/local-language': 'LOCALSTT_LANGUAGE is an ISO 639-1 code, and empty detects the language',
  'audio/local-vad-filter': 'LOCALSTT_VAD_FILTER defaults to False',
  'audio/tts-engine-none':
    'An empty AUDIO_TTS_ENGINE, the default, leaves speech to the client and offers none on the server',
  'audio/tts-engine-compat': 'AUDIO_TTS_ENGINE=compat speaks through the compatible engine',
  'audio/tts-engine-mistral': 'AUDIO_TTS_ENGINE=mistral speaks through mistral',
  'audio/tts-engine-elevenlabs': 'AUDIO_TTS_ENGINE=elevenlabs speaks through elevenlabs',
  'audio/tts-engine-azure': 'AUDIO_TTS_ENGINE=azure speaks through azure',
  'audio/tts-engine-transformers': 'AUDIO_TTS_ENGINE=transformers speaks through the local transformers engine',
  'audio/tts-model': 'AUDIO_TTS_MODEL names the speech model and defaults to tts-1',
  'audio/tts-voice': 'AUDIO_TTS_VOICE names the voice and defaults to alloy',
  'audio/tts-api-key': 'AUDIO_TTS_API_KEY is the key of the two engines that need one',
  'audio/tts-compat-connection': 'AUDIO_TTS_COMPAT_API_BASE_URL and _KEY connect the compatible speech engine',
  'audio/stt-compat-connection': 'AUDIO_STT_COMPAT_API_BASE_URL and _KEY connect the compatible transcription engine',
  'audio/user-overrides': 'Audio settings of a user override the defaults of the administrator',
  'audio/session-ssl-default':
    'HTTP_CLIENT_SESSION_SSL defaults to True and a bad certificate of a speech engine is refused',
  'audio/session-ssl-off': 'HTTP_CLIENT_SESSION_SSL=False skips certificate checks on outbound speech-engine calls',
} as const satisfies Record<string, Statement>;
