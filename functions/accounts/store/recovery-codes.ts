import { hashToken } from '../../../shared/accounts/link-token.ts';
import { recoveryKey } from '../../../shared/accounts/rows.ts';
import { userKey } from '../../../shared/identity/rows.ts';
import { plainRecoveryCode } from '../../../shared/identity/totp.ts';
import { holds } from '../../../shared/store/dynamodb.ts';
import { present, when } from '../../../shared/store/expression.ts';
import { openTable } from '../../../shared/store/table.ts';
import { deleting, putting, type Operation } from '../../../shared/store/transaction.ts';

/** What an authenticator app has proved: steps that were used, and `USER#<id> / REC#<hash>` for codes that were not. */
export interface RecoveryStore {
  /** True once for each code. */
  spend(userId: string, code: string): Promise<boolean>;
  /** True once for each step, and never for an earlier one. */
  useStep(userId: string, step: number): Promise<boolean>;
  inserting(userId: string, codes: readonly string[]): Operation[];
  deletingAll(userId: string): Promise<Operation[]>;
}

const accounts = openTable('accounts');
const keyOf = (userId: string, code: string) => recoveryKey(userId, hashToken(userId + plainRecoveryCode(code)));

export const createRecoveryStore = (): RecoveryStore => ({
  spend: (userId, code) => holds(accounts.delete(keyOf(userId, code), present)),
  useStep(userId, step) {
    const isLater = when('attribute_exists(pk) AND (attribute_not_exists(#totpLastStep) OR #totpLastStep < :step)', {
      step,
    });
    return holds(accounts.update(userKey(userId), { set: { totpLastStep: step } }, isLater));
  },
  inserting: (userId, codes) => codes.map((code) => putting('recovery', accounts, keyOf(userId, code))),
  async deletingAll(userId) {
    const { rows } = await accounts.query({ pk: `USER#${userId}`, prefix: 'REC#' });
    return rows.map((row) => deleting('recovery', accounts, { pk: `USER#${userId}`, sk: String(row['sk']) }));
  },
});
