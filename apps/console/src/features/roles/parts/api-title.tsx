import type { Api } from '@ithings/contract/features/apis.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { businessTypeLooks, methodText } from '../labels.ts'
import { Marked } from './rights-panel.tsx'

/** One API in a tree: name, what it does, method and route. */
export function ApiTitle({ api, keyword = '' }: { api: Api; keyword?: string }) {
  return (
    <span className="rights-row">
      <span className="rights-name">
        <Marked text={api.name} keyword={keyword} />
      </span>
      <StatusTag looks={businessTypeLooks} value={api.businessType} filled />
      <span className="rights-path mono">
        <span className="rights-method">{methodText(api.method)}</span> <Marked text={api.route} keyword={keyword} />
      </span>
    </span>
  )
}
