import * as contract from '@ithings/contract/features/commands.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { getProperty } from './get-property.ts'
import { listCommands } from './list-commands.ts'
import { multiSendProperty } from './multi-send-property.ts'
import { readActionReply, readPropertyReply } from './read-reply.ts'
import { sendAction } from './send-action.ts'
import { sendMessage } from './send-message.ts'
import { sendProperty } from './send-property.ts'
import { deleteShadow, listShadow } from './shadow.ts'

export const commandsRoutes = (deps: CommandsDeps): MountedEndpoint[] => [
  on(contract.sendProperty, (input, ctx) => sendProperty(deps, input, ctx.user.userName)),
  on(contract.readPropertyReply, (input) => readPropertyReply(deps, input)),
  on(contract.sendAction, (input, ctx) => sendAction(deps, input, ctx.user.userName)),
  on(contract.readActionReply, (input) => readActionReply(deps, input)),
  on(contract.getPropertyReply, (input, ctx) => getProperty(deps, input, ctx.user.userName)),
  on(contract.multiSendProperty, (input, ctx) => multiSendProperty(deps, input, ctx.user.userName)),
  on(contract.sendMessage, (input, ctx) => sendMessage(deps, input, ctx.user.userName)),
  on(contract.listCommands, (input) => listCommands(deps.db, input)),
  on(contract.listShadow, (input) => listShadow(deps, input)),
  on(contract.deleteShadow, (input) => deleteShadow(deps, input)),
]
