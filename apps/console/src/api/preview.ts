/** The console as another role sees it: in this tab only, and nothing but reading leaves the browser. */

import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { viewRole } from '@ithings/contract/features/roles.ts'
import { t } from '@ithings/contract/text.ts'
import type { Failure } from './api-error.ts'
import { session } from './session-store.ts'
import { guardedStore, type TextStore } from './text-store.ts'

const key = 'iThings-preview'
export const previewText = '正在预览角色，只能查看。结束预览后再操作'

export interface Preview {
  /** The role that is looked through; undefined: one's own eyes. */
  roleID: () => number | undefined
  start: (roleID: number) => void
  end: () => void
  /** What the role may not call is refused here, since the server knows the administrator only. */
  withhold: (paths: readonly string[]) => void
  refusal: (endpoint: Pick<Endpoint, 'path' | 'access' | 'businessType'>) => Failure | undefined
}

export function makePreview(store: TextStore, user: () => string): Preview {
  let withheld: readonly string[] = []
  const refused = (message: string): Failure => ({ code: errors.permission.code, httpStatus: 403, message })
  const roleID = () => {
    // Whoever signs in next in this tab begins with his own eyes.
    const [owner, role] = store.get(key).split(':')
    return owner && owner === user() ? Number(role) : undefined
  }
  return {
    roleID,
    start: (role) => store.set(key, `${user()}:${role}`),
    end: () => store.remove(key),
    withhold: (paths) => {
      withheld = paths
    },
    refusal: ({ path, access, businessType }) => {
      if (roleID() === undefined || access === 'public' || path === viewRole.path) return undefined
      if (businessType !== BusinessType.query) return refused(t(previewText))
      return withheld.includes(path) ? refused(t(errors.permission.msg)) : undefined
    },
  }
}

export const preview = makePreview(
  guardedStore(() => sessionStorage),
  session.userID,
)
