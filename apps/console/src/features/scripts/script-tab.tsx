import type { ProductCustom } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { QueryError } from '#kit/states/loaded.tsx'
import { customQuery } from './queries.ts'
import './script.css'
import { ScriptWorkbench } from './script-workbench.tsx'

/** screens.md 4.4: the message script of a product. */
export function ScriptTab({ productID }: { productID: string }) {
  // The editor starts from the answer, so it must be the newest one and not what was shown before.
  const custom = useQuery({ ...customQuery(productID), refetchOnMount: 'always' })
  if (custom.isError && !custom.data) {
    return (
      <div className="list-card">
        <QueryError subject={t('消息解析脚本')} query={custom} />
      </div>
    )
  }
  if (!custom.data || !custom.isFetchedAfterMount) return <ScriptSkeleton />
  const data: ProductCustom = custom.data
  return <ScriptWorkbench key={productID} productID={productID} custom={data} />
}

function ScriptSkeleton() {
  return (
    <div className="script-work top stack gap-16" role="status" aria-label={t('加载中')}>
      <div className="sheet" style={{ padding: 24 }}>
        <Skeleton active paragraph={{ rows: 12 }} />
      </div>
      <div className="sheet" style={{ padding: 24 }}>
        <Skeleton active paragraph={{ rows: 8 }} />
      </div>
    </div>
  )
}
