import { SearchOutlined } from '@ant-design/icons'
import { type ConfigProduct, HasConfig } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { productsQuery } from '../queries.ts'
import './remote-config.css'

interface ProductListProps {
  chosen: string | undefined
  /** Products with something typed that is not saved. */
  drafts: ReadonlySet<string>
  onChoose: (productID: string) => void
}

type Filter = '' | '1' | '2'
const choices: { value: Filter; label: string }[] = [
  { value: '', label: '全部' },
  { value: '1', label: '已配置' },
  { value: '2', label: '未配置' },
]

interface RowProps {
  product: ConfigProduct
  chosen: boolean
  draft: boolean
  onChoose: () => void
}

function Row({ product, chosen, draft, onChoose }: RowProps) {
  const { productName, configID, configTime, deviceCount, versions } = product
  return (
    <button
      type="button"
      className={
        chosen
          ? 'plain-button config-product hover-fill row wrap wide start pad-8-12 round-6 config-product-on'
          : 'plain-button config-product hover-fill row wrap wide start pad-8-12 round-6'
      }
      aria-pressed={chosen}
      onClick={onChoose}
    >
      <span className="config-product-name cut grow shrink" title={productName}>
        {productName}
      </span>
      {draft && <span className="form-dirty small regular line-20 warning-text pad-x-8 round-4">{t('草稿')}</span>}
      <span
        className={
          configID > 0
            ? 'config-badge round-4 line-18 fixed small config-badge-on'
            : 'config-badge round-4 line-18 fixed small quiet'
        }
      >
        {configID > 0 ? t('已配置', { context: 'short' }) : t('未配置', { context: 'short' })}
      </span>
      <span className="meta" style={{ flexBasis: '100%' }}>
        {t('{count, number} 台设备', { count: deviceCount })}
        {configID > 0 && (
          <RichText
            text={t(' · {count, number} 个版本 · <0/>', { count: versions })}
            parts={[<TimeText key="time" value={configTime} />]}
          />
        )}
      </span>
    </button>
  )
}

/** screens.md 20: products on the left, those with a configuration first; searched and paged by the server. */
export function ProductList({ chosen, drafts, onChoose }: ProductListProps) {
  const [text, setText] = useState('')
  const [filter, setFilter] = useState<Filter>('')
  const isFiltered = text.trim() !== '' || filter !== ''
  const pages = useInfiniteQuery(
    productsQuery({
      ...(text.trim() && { productName: text.trim() }),
      ...(filter && { hasConfig: filter === '1' ? HasConfig.yes : HasConfig.no }),
    }),
  )
  const products = pages.data?.pages.flatMap(({ list }) => list) ?? []
  const total = pages.data?.pages[0]?.total ?? 0

  const none = isFiltered ? (
    <StateBlock compact variant="no-match" title={t('没有匹配的产品')} />
  ) : (
    <StateBlock
      compact
      variant="empty"
      title={t('还没有产品')}
      text={t('远程配置按产品管理，先新增一个产品。')}
      action={<Link to={paths.products}>{t('前往产品')}</Link>}
    />
  )
  const rows = products.map((product) => (
    <Row
      key={product.productID}
      product={product}
      chosen={product.productID === chosen}
      draft={drafts.has(product.productID)}
      onChoose={() => onChoose(product.productID)}
    />
  ))
  return (
    <nav className="list-card side-list config-products column" aria-label={t('产品列表')}>
      <div className="config-products-head pad-12 line-bottom column gap-8">
        <Input
          allowClear
          prefix={<SearchOutlined aria-hidden="true" />}
          placeholder={t('搜索产品名称或 ID')}
          aria-label={t('搜索产品')}
          maxLength={64}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Segmented
          block
          aria-label={t('按配置筛选')}
          value={filter}
          options={choices.map(({ value, label }) => ({ value, label: t(label, { context: 'short' }) }))}
          onChange={setFilter}
        />
      </div>
      <div className="grow scroll pad-8" style={{ minHeight: 120 }}>
        <Loaded compact query={pages} subject={t('产品')} rows={6}>
          {() => (rows.length === 0 ? none : rows)}
        </Loaded>
        <LoadMore
          hasMore={pages.hasNextPage}
          loading={pages.isFetchingNextPage}
          failed={pages.isFetchNextPageError}
          onMore={() => void pages.fetchNextPage()}
        />
      </div>
      <div className="line-above pad-8-12 meta">{t('共 {count, number} 个产品', { count: total })}</div>
    </nav>
  )
}
