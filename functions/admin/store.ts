import { operatorBootKey, operatorEmailKey, operatorIndex, OperatorRecord } from '../../shared/accounts/rows.ts';
import { operatorKey } from '../../shared/identity/rows.ts';
import { absent, when, type Change } from '../../shared/store/expression.ts';
import { openTable, type Key, type Row } from '../../shared/store/table.ts';
import { deleting, putting, transact, updating, type Operation } from '../../shared/store/transaction.ts';

/**
 * Table `admin_accounts`, which users never enter:
 *   ADMIN#<id> / META          the operator            read by key; listed by gsi1 `ADMINS` / address
 *   ADMIN#<id> / SESS#<jti>    a session
 *   ADMINEMAIL#<address> / A   who has the address; the lock that keeps it unique
 *   ADMIN#BOOT / B             exists once the first one was made; counts the active ones that have a password
 */
const operators = openTable('admin_accounts');

/** Labels of the conditions that can fail. */
export const BOOT = 'boot';
export const ADDRESS = 'address';
export const STALE = 'operator';

export const createOperatorStore = () => ({
  isInitialized: async () => (await operators.get(operatorBootKey)) !== undefined,
  byId,
  byAddress,
  list,
  createFirst,
  create: (operator: OperatorRecord, others: readonly Operation[]) => transact([...creating(operator), ...others]),
  change,
  rename,
  remove,
  beginSession,
  counting,
});

export type OperatorStore = ReturnType<typeof createOperatorStore>;

async function byId(adminId: string): Promise<OperatorRecord | undefined> {
  const row = await operators.get(operatorKey(adminId));
  return row && OperatorRecord.parse(row);
}

async function byAddress(address: string): Promise<OperatorRecord | undefined> {
  const lock = await operators.get(operatorEmailKey(address));
  return lock && byId(String(lock['adminId']));
}

async function list({ q = '', limit, cursor }: { q?: string; limit: number; cursor?: string }) {
  const page = await operators.query({ index: 'gsi1', pk: 'ADMINS', prefix: q, limit, cursor });
  return { operators: page.rows.map((row) => OperatorRecord.parse(row)), cursor: page.cursor };
}

/** The marker makes it the first and only first one, however many try. */
const createFirst = (operator: OperatorRecord, others: readonly Operation[]) =>
  transact([
    putting(BOOT, operators, { ...operatorBootKey, activeOperators: 1 }, absent),
    ...creating(operator),
    ...others,
  ]);

type Step = 1 | -1;

/** Changes the operator that was read, and the count of active ones with it. */
const change = (operator: OperatorRecord, wanted: Change & { readonly step?: Step }, others: readonly Operation[]) =>
  transact([changing(operator, wanted), ...counting(wanted.step), ...others]);

const rename = (operator: OperatorRecord, email: string, wanted: Change, others: readonly Operation[]) =>
  transact([
    putting(ADDRESS, operators, { ...operatorEmailKey(email), adminId: operator.adminId }, absent),
    deleting('old address', operators, operatorEmailKey(operator.email)),
    changing(operator, { ...wanted, set: { ...wanted.set, email, ...operatorIndex(email) } }),
    ...others,
  ]);

const remove = (operator: OperatorRecord, others: readonly Operation[]) =>
  transact([
    deleting(STALE, operators, operatorKey(operator.adminId), isStill(operator)),
    deleting('old address', operators, operatorEmailKey(operator.email)),
    ...counting(isCounted(operator) ? -1 : undefined),
    ...others,
  ]);

const beginSession = (operator: OperatorRecord, session: Row & Key, login: { at: number; record: Operation }) =>
  transact([
    changing(operator, { set: { lastLoginAt: login.at } }),
    putting('session', operators, session),
    login.record,
  ]);

/** Someone who could sign in; invited ones cannot yet, so they do not keep the platform governed. */
export const isCounted = ({ status, passwordHash }: OperatorRecord) => status === 'ACTIVE' && passwordHash !== null;

const creating = (operator: OperatorRecord): Operation[] => [
  putting(ADDRESS, operators, { ...operatorEmailKey(operator.email), adminId: operator.adminId }, absent),
  putting(
    STALE,
    operators,
    { ...operatorKey(operator.adminId), ...operator, ...operatorIndex(operator.email) },
    absent,
  ),
];

const isStill = ({ tokenVersion, status }: OperatorRecord) =>
  when('#tokenVersion = :tokenVersion AND #status = :status', { tokenVersion, status });

const changing = (operator: OperatorRecord, { set, add, remove }: Change) =>
  updating(STALE, operators, operatorKey(operator.adminId), { set, add, remove, if: isStill(operator) });

/** One less only while another one is left. */
function counting(step: Step | undefined): Operation[] {
  if (step === undefined) return [];
  const condition = step < 0 ? when('#activeOperators > :one', { one: 1 }) : undefined;
  return [updating(BOOT, operators, operatorBootKey, { add: { activeOperators: step }, if: condition })];
}
