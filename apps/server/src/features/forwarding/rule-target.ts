import { type TargetSettings, targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import type { Db } from '#db/schema.ts'
import { openJson, places } from '#db/sealed.ts'
import type { ForwardTarget, OpenTarget } from '#ports/forward-target.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'

/** Rows of an older version may lack a field. */
export const readTarget = (db: Db, stored: unknown): TargetSettings =>
  targetSettings.parse(openJson(db, places.forward, stored))

export const openTarget = ({ targets, tools }: ForwardingDeps, settings: TargetSettings): ForwardTarget =>
  (targets[settings.type] as OpenTarget)(settings, tools)

export const openRuleTarget = (deps: ForwardingDeps, rule: { target: unknown }): ForwardTarget =>
  openTarget(deps, readTarget(deps.db, rule.target))
