import type { Api } from '@ithings/contract/features/apis.ts'
import { BusinessTypeTag } from '#blocks/business-type.tsx'
import { methodText } from '../labels.ts'
import { Marked } from './rights-panel.tsx'

/** One API in a tree: name, what it does, method and route. */
export function ApiTitle({ api, keyword = '' }: { api: Api; keyword?: string }) {
  return (
    <span className="rights-row row gap-8 shrink">
      <span className="fixed main-text">
        <Marked text={api.name} keyword={keyword} />
      </span>
      <BusinessTypeTag value={api.businessType} />
      <span className="rights-path cut shrink to-end small quiet mono">
        <span className="softer">{methodText(api.method)}</span> <Marked text={api.route} keyword={keyword} />
      </span>
    </span>
  )
}
