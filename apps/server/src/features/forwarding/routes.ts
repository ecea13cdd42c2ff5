import * as contract from '@ithings/contract/features/forwarding/rules.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { deleteLetters, listLetters, resendLetters } from './dead-letters.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { listRules, readRule, recentMessages } from './list-rules.ts'
import { createRule, deleteRule, replayRule, updateRule } from './manage-rules.ts'
import { testRule } from './test-rule.ts'

export const forwardingRoutes = (deps: ForwardingDeps): MountedEndpoint[] => [
  on(contract.listForwards, (input) => listRules(deps, input)),
  on(contract.readForward, (input) => readRule(deps, input)),
  on(contract.createForward, (input) => createRule(deps, input)),
  on(contract.updateForward, (input) => updateRule(deps, input)),
  on(contract.deleteForward, (input) => deleteRule(deps, input)),
  on(contract.replayForward, (input) => replayRule(deps, input)),
  on(contract.testForward, (input) => testRule(deps, input)),
  on(contract.recentForwards, (input) => recentMessages(deps, input)),
  on(contract.listDeadLetters, (input) => listLetters(deps, input)),
  on(contract.resendDeadLetters, (input) => resendLetters(deps, input)),
  on(contract.deleteDeadLetters, (input) => deleteLetters(deps, input)),
]
