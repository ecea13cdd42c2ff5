import * as contract from '@ithings/contract/features/devices/interact.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { CommandsKit } from './commands-kit.ts'
import { getProperty } from './get-property.ts'
import { listCommands } from './list-commands.ts'
import { multiSendProperty } from './multi-send-property.ts'
import { readActionReply, readPropertyReply } from './read-reply.ts'
import { sendAction } from './send-action.ts'
import { sendMessage } from './send-message.ts'
import { sendProperty } from './send-property.ts'
import { deleteShadow, listShadow } from './shadow.ts'

export const commandsRoutes = (kit: CommandsKit): MountedEndpoint[] => [
  on(contract.sendProperty, (input, ctx) => sendProperty(kit, input, ctx.user.userName)),
  on(contract.readPropertyReply, (input) => readPropertyReply(kit, input)),
  on(contract.sendAction, (input, ctx) => sendAction(kit, input, ctx.user.userName)),
  on(contract.readActionReply, (input) => readActionReply(kit, input)),
  on(contract.getPropertyReply, (input, ctx) => getProperty(kit, input, ctx.user.userName)),
  on(contract.multiSendProperty, (input, ctx) => multiSendProperty(kit, input, ctx.user.userName)),
  on(contract.sendMessage, (input, ctx) => sendMessage(kit, input, ctx.user.userName)),
  on(contract.listCommands, (input) => listCommands(kit.db, input)),
  on(contract.listShadow, (input) => listShadow(kit, input)),
  on(contract.deleteShadow, (input) => deleteShadow(kit, input)),
]
