import * as requestContract from '@ithings/contract/features/access-requests.ts'
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
import type { UsersKit } from './users-kit.ts'

export const usersRoutes = (kit: UsersKit): MountedEndpoint[] => [
  on(contract.getCaptcha, () => issueCaptcha(kit.db, kit.clock), { perMinute: 120 }),
  on(contract.login, (input, ctx) => login(kit, input, ctx), { perMinute: 120 }),
  on(contract.createUser, (input, ctx) => createUser(kit, input, ctx)),
  on(contract.updateUser, (input, ctx) => updateUser(kit, input, ctx)),
  on(contract.readUser, async (input, ctx) => toUserInfo(await findUser(kit.db, input.userID ?? ctx.user.userID))),
  on(contract.listUsers, (input) => listUsers(kit.db, input)),
  on(contract.deleteUser, (input, ctx) => deleteUser(kit, input, ctx)),
  on(contract.updateUserStatus, (input, ctx) => updateUserStatus(kit, input, ctx)),
  on(contract.resetPassword, (input, ctx) => resetPassword(kit, input, ctx)),
  on(contract.readResources, (_input, ctx) => readResources(kit, ctx)),
  on(contract.logout, (_input, ctx) => kit.access.revokeSession(ctx.user.sid)),
  on(sessionContract.listSessions, (_input, ctx) => listSessions(kit, ctx)),
  on(sessionContract.endSession, (input, ctx) => endSession(kit, input, ctx)),
  on(sessionContract.endOtherSessions, (_input, ctx) => endOtherSessions(kit, ctx)),
  on(sessionContract.acknowledgeSignIns, (_input, ctx) => acknowledgeSignIns(kit, ctx)),
  on(sessionContract.endUserSessions, (input, ctx) => endUserSessions(kit, input, ctx)),
  on(factorContract.readSecondFactor, (_input, ctx) => readSecondFactor(kit, ctx)),
  on(factorContract.startSecondFactor, (input, ctx) => startSecondFactor(kit, input, ctx)),
  on(factorContract.confirmSecondFactor, (input, ctx) => confirmSecondFactor(kit, input, ctx)),
  on(factorContract.renewRecoveryCodes, (_input, ctx) => renewRecoveryCodes(kit, ctx)),
  on(factorContract.disableSecondFactor, (input, ctx) => disableSecondFactor(kit, input, ctx)),
  on(factorContract.verifySecondFactor, (input, ctx) => verifySecondFactor(kit, input, ctx)),
  on(factorContract.resetSecondFactor, (input, ctx) => resetSecondFactor(kit, input, ctx)),
  on(requestContract.readAccessHelp, (input, ctx) => readAccessHelp(kit, input, ctx)),
  on(requestContract.askForAccess, (input, ctx) => askForAccess(kit, input, ctx)),
  on(requestContract.listAccessRequests, () => listAccessRequests(kit)),
  on(requestContract.closeAccessRequest, (input) => closeAccessRequest(kit, input)),
  on(contract.updateSelf, (input, ctx) => updateSelf(kit, input, ctx)),
  on(contract.changeOwnPassword, (input, ctx) => changeOwnPassword(kit, input, ctx)),
]
