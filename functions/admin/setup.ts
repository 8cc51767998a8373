import type { OperatorRecord } from '../../shared/accounts/rows.ts';
import { AppError } from '../../shared/errors.ts';
import { isSame } from '../../shared/identity/cookies.ts';
import { demandGoodPassword } from '../../shared/passwords/rules.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import { takeByAddress } from '../../shared/throttle/by-address.ts';
import { ownAct, type Origin, type Parts } from './parts.ts';

interface SetupInput {
  readonly setupKey: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

const TRIES = { kind: 'admin-setup', limit: 5, windowMs: 3_600_000 };

/** The first operator, by the key that only whoever runs the installation has. Exactly once. */
export async function setUp(parts: Parts, input: SetupInput, origin: Origin): Promise<OperatorRecord> {
  const { store, settings, now } = parts;
  const counted = await takeByAddress(parts.throttle, TRIES, origin.ip);
  await demandKey(parts, input.setupKey, origin);
  await counted.refund();
  if (await store.isInitialized()) throw alreadyDone();
  demandGoodPassword(input.password, settings, { words: [input.name, input.email] });
  const operator: OperatorRecord = {
    adminId: parts.newId(),
    name: input.name,
    email: input.email,
    status: 'ACTIVE',
    tokenVersion: 1,
    passwordHash: await parts.passwords.hash(input.password),
    otpEnabled: true,
    createdAt: now(),
    updatedAt: now(),
    lastLoginAt: null,
  };
  const record = parts.audit.recording(ownAct(operator, origin, 'operator.first_created'));
  await store.createFirst(operator, [record]).catch(orElse(alreadyDone));
  return operator;
}

/** Compared in constant time; an empty setting matches nothing. */
async function demandKey({ settings, audit }: Parts, given: string, { ip, requestId }: Origin) {
  const wanted = settings.ADMIN_SETUP_KEY;
  if (wanted !== '' && isSame(given, wanted)) return;
  const actor = { kind: 'anonymous', id: null } as const;
  await audit.record({ action: 'operator.setup_refused', outcome: 'failure', actor, ip, requestId });
  throw new AppError('setup_key_invalid', 'The set-up key is not right, or set-up is switched off');
}

const alreadyDone = () => new AppError('already_initialized', 'The first operator exists; sign in instead');
