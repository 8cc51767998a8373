import { flag, oneOf, text } from '../variable.ts';

export const audio = {
  AUDIO_STT_ENGINE: oneOf(
    '',
    'compat',
    'azure',
    'deepgram',
    'mistral',
  )('', 'Speech-to-text engine; empty is the local one.'),
  AUDIO_STT_MODEL: text('', 'Model of a remote speech-to-text engine.'),
  AUDIO_STT_COMPAT_API_BASE_URL: text('', 'Address of the compatible speech-to-text engine.'),
  AUDIO_STT_COMPAT_API_KEY: text('', 'Its key.', { secret: true }),
  LOCALSTT_MODEL: oneOf('tiny', 'base', 'small', 'medium', 'large')('base', 'Size of the local speech-to-text model.'),
  LOCALSTT_COMPUTE_TYPE: oneOf(
    'int8',
    'float16',
    'int8_float16',
    'float32',
  )('int8', 'Arithmetic of the local speech-to-text model.'),
  LOCALSTT_LANGUAGE: text('', 'ISO 639-1 code; empty detects the language.'),
  LOCALSTT_VAD_FILTER: flag(false, 'Skip silence before transcribing.'),
  AUDIO_TTS_ENGINE: oneOf(
    '',
    'compat',
    'mistral',
    'elevenlabs',
    'azure',
    'transformers',
  )('', 'Text-to-speech engine; empty leaves speech to the client.'),
  AUDIO_TTS_MODEL: text('tts-1', 'Model of the text-to-speech engine.'),
  AUDIO_TTS_VOICE: text('alloy', 'Its voice.'),
  AUDIO_TTS_API_KEY: text('', 'Key of the engines that are not compatible ones.', { secret: true }),
  AUDIO_TTS_COMPAT_API_BASE_URL: text('', 'Address of the compatible text-to-speech engine.'),
  AUDIO_TTS_COMPAT_API_KEY: text('', 'Its key.', { secret: true }),
};
