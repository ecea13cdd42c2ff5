import * as requestContract from '@ithings/contract/features/access-requests.ts'
import * as passkeyContract from '@ithings/contract/features/passkeys.ts'
import * as factorContract from '@ithings/contract/features/second-factor.ts'
import * as sessionContract from '@ithings/contract/features/sessions.ts'
import * as contract from '@ithings/contract/features/users.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { askForAccess, closeAccessRequest, listAccessRequests, readAccessHelp } from './access-requests.ts'
import { issueCaptcha } from './captcha.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { listUsers } from './list-users.ts'
import { login } from './login.ts'
import { signInByPasskey, startPasskeySignIn } from './passkey-sign-in.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  removeUserPasskeys,
  renamePasskey,
  startPasskey,
  startPasskeyCheck,
} from './passkeys.ts'
import { readResources } from './read-resources.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  verifySecondFactor,
} from './second-factor.ts'
import { acknowledgeSignIns, endOtherSessions, endSession, endUserSessions, listSessions } from './sessions.ts'
import { changeOwnPassword, resetPassword } from './set-password.ts'
import { findUser } from './store.ts'
import { updateSelf } from './update-self.ts'
import { updateUser } from './update-user.ts'
import { updateUserStatus } from './update-user-status.ts'
import { toUserInfo } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

export const usersRoutes = (deps: UsersDeps): MountedEndpoint[] => [
  on(contract.getCaptcha, () => issueCaptcha(deps.db, deps.clock), { perMinute: 120 }),
  on(contract.login, (input, ctx) => login(deps, input, ctx), { perMinute: 120 }),
  on(contract.createUser, (input, ctx) => createUser(deps, input, ctx)),
  on(contract.updateUser, (input, ctx) => updateUser(deps, input, ctx)),
  on(contract.readUser, async (input, ctx) => toUserInfo(await findUser(deps.db, input.userID ?? ctx.user.userID))),
  on(contract.listUsers, (input) => listUsers(deps.db, input)),
  on(contract.deleteUser, (input, ctx) => deleteUser(deps, input, ctx)),
  on(contract.updateUserStatus, (input, ctx) => updateUserStatus(deps, input, ctx)),
  on(contract.resetPassword, (input, ctx) => resetPassword(deps, input, ctx)),
  on(contract.readResources, (_input, ctx) => readResources(deps, ctx)),
  on(sessionContract.listSessions, (_input, ctx) => listSessions(deps, ctx)),
  on(sessionContract.endSession, (input, ctx) => endSession(deps, input, ctx)),
  on(sessionContract.endOtherSessions, (_input, ctx) => endOtherSessions(deps, ctx)),
  on(sessionContract.acknowledgeSignIns, (_input, ctx) => acknowledgeSignIns(deps, ctx)),
  on(sessionContract.endUserSessions, (input, ctx) => endUserSessions(deps, input, ctx)),
  on(factorContract.readSecondFactor, (_input, ctx) => readSecondFactor(deps, ctx)),
  on(factorContract.startSecondFactor, (input, ctx) => startSecondFactor(deps, input, ctx)),
  on(factorContract.confirmSecondFactor, (input, ctx) => confirmSecondFactor(deps, input, ctx)),
  on(factorContract.renewRecoveryCodes, (_input, ctx) => renewRecoveryCodes(deps, ctx)),
  on(factorContract.disableSecondFactor, (input, ctx) => disableSecondFactor(deps, input, ctx)),
  on(factorContract.verifySecondFactor, (input, ctx) => verifySecondFactor(deps, input, ctx)),
  on(factorContract.resetSecondFactor, (input, ctx) => resetSecondFactor(deps, input, ctx)),
  on(passkeyContract.startPasskeySignIn, () => startPasskeySignIn(deps), { perMinute: 120 }),
  on(passkeyContract.signInByPasskey, (input, ctx) => signInByPasskey(deps, input, ctx), { perMinute: 120 }),
  on(passkeyContract.listPasskeys, (_input, ctx) => listPasskeys(deps, ctx)),
  on(passkeyContract.startPasskey, (input, ctx) => startPasskey(deps, input, ctx)),
  on(passkeyContract.addPasskey, (input, ctx) => addPasskey(deps, input, ctx)),
  on(passkeyContract.renamePasskey, (input, ctx) => renamePasskey(deps, input, ctx)),
  on(passkeyContract.removePasskey, (input, ctx) => removePasskey(deps, input, ctx)),
  on(passkeyContract.startPasskeyCheck, (_input, ctx) => startPasskeyCheck(deps, ctx)),
  on(passkeyContract.removeUserPasskeys, (input, ctx) => removeUserPasskeys(deps, input, ctx)),
  on(requestContract.readAccessHelp, (input, ctx) => readAccessHelp(deps, input, ctx)),
  on(requestContract.askForAccess, (input, ctx) => askForAccess(deps, input, ctx)),
  on(requestContract.listAccessRequests, () => listAccessRequests(deps)),
  on(requestContract.closeAccessRequest, (input) => closeAccessRequest(deps, input)),
  on(contract.updateSelf, (input, ctx) => updateSelf(deps, input, ctx)),
  on(contract.changeOwnPassword, (input, ctx) => changeOwnPassword(deps, input, ctx)),
]
