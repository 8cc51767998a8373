import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AwsFault } from './fault.ts';
import { arn, type Identity } from './identity.ts';
import { operation, type TargetService } from './wire.ts';

export interface KeyOptions {
  readonly identity: Identity;
  readonly master: Buffer;
  /** Key ids and `alias/…` names that exist. */
  readonly keys: readonly string[];
}

const Context = z.record(z.string(), z.string()).default({});
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));

/** KMS: every key is derived from the host's master key; the encryption context is bound as associated data. */
export const keyService = (options: KeyOptions): TargetService => ({
  target: 'TrentService',
  version: '1.1',
  invalid: 'ValidationException',
  operations: {
    Encrypt: operation(
      z.object({ KeyId: z.string(), Plaintext: bytes, EncryptionContext: Context }),
      ({ KeyId, Plaintext, EncryptionContext }) => {
        if (Plaintext.length === 0 || Plaintext.length > 4096)
          throw new AwsFault('ValidationException', 'Plaintext must have 1 to 4096 bytes.');
        const CiphertextBlob = wrap(options, keyName(options, KeyId), {
          plaintext: Plaintext,
          context: EncryptionContext,
        });
        return { CiphertextBlob, KeyId: keyArn(options, KeyId), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
      },
    ),
    Decrypt: operation(
      z.object({ CiphertextBlob: bytes, KeyId: z.string().optional(), EncryptionContext: Context }),
      ({ CiphertextBlob, KeyId, EncryptionContext }) => {
        const { name, plaintext } = unwrap(options, CiphertextBlob, EncryptionContext);
        if (KeyId !== undefined && keyName(options, KeyId) !== name)
          throw new AwsFault('IncorrectKeyException', 'The ciphertext was made with another key.');
        const Plaintext = plaintext.toString('base64');
        return { Plaintext, KeyId: keyArn(options, name), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
      },
    ),
    GenerateDataKey: operation(GenerateDataKey, ({ KeyId, KeySpec, NumberOfBytes, EncryptionContext }) => {
      if ((KeySpec === undefined) === (NumberOfBytes === undefined))
        throw new AwsFault('ValidationException', 'Give either KeySpec or NumberOfBytes.');
      const plaintext = randomBytes(NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32));
      const CiphertextBlob = wrap(options, keyName(options, KeyId), { plaintext, context: EncryptionContext });
      return { Plaintext: plaintext.toString('base64'), CiphertextBlob, KeyId: keyArn(options, KeyId) };
    }),
  },
});

const GenerateDataKey = z.object({
  KeyId: z.string(),
  KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
  NumberOfBytes: z.int().min(1).max(1024).optional(),
  EncryptionContext: Context,
});

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** version, length of the key's name, name, iv, tag, ciphertext */
function wrap(
  options: KeyOptions,
  name: string,
  { plaintext, context }: { plaintext: Buffer; context: Record<string, string> },
) {
  const head = Buffer.concat([Buffer.of(VERSION, Buffer.byteLength(name)), Buffer.from(name)]);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derive(options.master, name), iv).setAAD(associated(head, context));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function unwrap(options: KeyOptions, blob: Buffer, context: Record<string, string>) {
  const headEnd = 2 + (blob[1] ?? 0);
  const [head, iv, tag] = [
    blob.subarray(0, headEnd),
    blob.subarray(headEnd, headEnd + IV_BYTES),
    blob.subarray(headEnd + IV_BYTES, headEnd + IV_BYTES + TAG_BYTES),
  ];
  if (blob[0] !== VERSION || tag.length < TAG_BYTES) throw invalidCiphertext();
  const name = head.subarray(2).toString('utf8');
  const decipher = createDecipheriv('aes-256-gcm', derive(options.master, name), iv);
  decipher.setAAD(associated(head, context)).setAuthTag(tag);
  try {
    const sealed = blob.subarray(headEnd + IV_BYTES + TAG_BYTES);
    return { name, plaintext: Buffer.concat([decipher.update(sealed), decipher.final()]) };
  } catch {
    throw invalidCiphertext();
  }
}

const derive = (master: Buffer, name: string) => Buffer.from(hkdfSync('sha256', master, '', `kms:${name}`, 32));

const associated = (head: Buffer, context: Record<string, string>) =>
  Buffer.concat([head, Buffer.from(JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))))]);

const invalidCiphertext = () => new AwsFault('InvalidCiphertextException', 'The ciphertext cannot be decrypted.');

/** A key may be named by id, alias or ARN of either. */
function keyName({ keys }: KeyOptions, keyId: string): string {
  const resource = keyId.replace(/^arn:[^:]*:kms:[^:]*:[^:]*:/, '').replace(/^key\//, '');
  if (!keys.includes(resource)) throw new AwsFault('NotFoundException', `Key ${keyId} does not exist.`);
  return resource;
}

const keyArn = (options: KeyOptions, keyId: string) => {
  const name = keyName(options, keyId);
  return arn(options.identity, 'kms', name.startsWith('alias/') ? name : `key/${name}`);
};
