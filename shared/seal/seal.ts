import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { kms } from '../aws/services.ts';
import { fromEnvironment } from '../settings/environment.ts';
import { SEAL_KEY } from '../settings/names.ts';

/** What a sealed text belongs to. Moved to another tenant or field it cannot be opened. */
export interface SealContext {
  /** `org:<id>`, `user:<id>` or `platform`. */
  readonly tenant: string;
  readonly field: string;
}

/** Secrets at rest: AES-256-GCM under a data key of its own, which KMS alone can unwrap. */
export interface Seal {
  close(text: string, context: SealContext): Promise<string>;
  open(sealed: string, context: SealContext): Promise<string>;
}

const VERSION = 'v1';

export const createSeal = (): Seal => ({
  async close(text, context) {
    const { Plaintext, CiphertextBlob } = await kms<{ Plaintext: string; CiphertextBlob: string }>('GenerateDataKey', {
      KeyId: keyId(),
      KeySpec: 'AES_256',
      EncryptionContext: { ...context },
    });
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(Plaintext, 'base64'), nonce).setAAD(aad(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, CiphertextBlob, nonce.toString('base64'), body.toString('base64')].join('.');
  },
  async open(sealed, context) {
    const [version, CiphertextBlob = '', nonce = '', body = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error(`A sealed value of ${context.field} is of an unknown version`);
    const request = { KeyId: keyId(), CiphertextBlob, EncryptionContext: { ...context } };
    const { Plaintext } = await kms<{ Plaintext: string }>('Decrypt', request);
    const bytes = Buffer.from(body, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(Plaintext, 'base64'), Buffer.from(nonce, 'base64'))
      .setAAD(aad(context))
      .setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  },
});

const aad = ({ tenant, field }: SealContext) => Buffer.from(JSON.stringify([tenant, field]));

function keyId() {
  const key = fromEnvironment(SEAL_KEY);
  if (!key) throw new Error(`The host did not set ${SEAL_KEY}`);
  return key;
}
