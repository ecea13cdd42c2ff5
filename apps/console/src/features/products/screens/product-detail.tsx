import { EllipsisOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import { readProduct } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tabs, type TabsProps } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod'
import { QueryError } from '#kit/states/loaded.tsx'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { withTexts } from '#language/language.ts'
import { DetailHeader } from '../parts/detail-header.tsx'
import { InfoTab } from '../parts/info-tab.tsx'
import '../parts/detail.css'
import { readCustom } from '@ithings/contract/features/scripts.ts'
import { paths } from '#kit/paths.ts'
import { useHeld } from '#kit/rights.tsx'
import { productQuery } from '../queries.ts'

const ModelTab = lazy(async () => ({
  default: (await withTexts('thing-model', import('#features/thing-model/model-tab.tsx'))).ModelTab,
}))
const TopicTab = lazy(async () => ({ default: (await import('../parts/topic-tab.tsx')).TopicTab }))
const ScriptTab = lazy(async () => ({
  default: (await withTexts('scripts', import('#features/scripts/script-tab.tsx'))).ScriptTab,
}))
const DevicesTab = lazy(async () => ({ default: (await import('../parts/devices-tab.tsx')).DevicesTab }))

const urlSchema = z.object({ tab: z.enum(['info', 'model', 'topic', 'script', 'devices']) })
const urlDefaults = { tab: 'info' } as const

const waiting = (tab: ReactNode) => (
  <Suspense fallback={<Skeleton active className="sheet pad-16" paragraph={{ rows: 8 }} />}>{tab}</Suspense>
)

const isMissing = (error: unknown) => (error as { code?: unknown } | null)?.code === errors.notFound.code

/** screens.md 4: header with identity and counts, tabs in the URL. */
export function ProductDetail() {
  const productID = useParams().id ?? ''
  const navigate = useNavigate()
  const held = useHeld()
  const [{ tab }, setUrl] = useUrlState(urlSchema, urlDefaults)
  // An address that cannot be an id is not worth a question.
  const possible = readProduct.body.safeParse({ productID }).success
  const query = useQuery({ ...productQuery(productID), enabled: possible })
  const product = query.data

  if (!possible || isMissing(query.error)) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这个产品不存在')}
        text={t('它可能已经被删除，或者地址不完整。')}
        action={<Button onClick={() => void navigate(paths.products)}>{t('返回产品列表')}</Button>}
      />
    )
  }
  if (!product) {
    if (!query.isError) return <Skeleton active avatar={{ shape: 'square' }} paragraph={{ rows: 10 }} />
    return <QueryError subject={t('产品详情')} query={query} />
  }
  const items: TabsProps['items'] = held([
    { key: 'info', label: t('产品信息'), children: <InfoTab product={product} /> },
    { key: 'model', label: t('物模型'), children: waiting(<ModelTab productID={productID} />) },
    { key: 'topic', label: t('Topic 类列表'), children: waiting(<TopicTab product={product} />) },
    { key: 'script', label: t('消息解析'), needs: readCustom, children: waiting(<ScriptTab productID={productID} />) },
    { key: 'devices', label: t('设备列表'), children: waiting(<DevicesTab product={product} />) },
  ])
  return (
    // Whatever a tab holds belongs to this product alone.
    <div className="product-detail" key={productID}>
      <DetailHeader product={product} />
      {query.isRefetchError && (
        <StaleBanner
          error={query.error}
          updatedAt={query.dataUpdatedAt}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      <Tabs
        className="band-tabs"
        more={{ icon: <EllipsisOutlined aria-label={t('更多标签页')} /> }}
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setUrl({ tab: urlSchema.shape.tab.parse(key) }, { replace: true })}
        items={items}
      />
    </div>
  )
}
