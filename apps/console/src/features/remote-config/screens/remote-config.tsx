import { t } from '@ithings/contract/text.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { session } from '#api/session-store.ts'
import { paths, productConfigPath } from '#kit/paths.ts'
import '#kit/form/form.css'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useDrafts } from '../drafts.ts'
import { ConfigPane } from '../parts/config-pane.tsx'
import { ProductList } from '../parts/product-list.tsx'
import '../parts/remote-config.css'
import { productsQuery } from '../queries.ts'

/** screens.md 20: products on the left, the chosen one's configuration on the right. */
export function RemoteConfig() {
  const phone = usePhone()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { drafts, set } = useDrafts(session.userID())
  const products = useInfiniteQuery(productsQuery({}))
  // Without a choice the first one is shown beside the list; a phone has room for one of both.
  const first = phone ? undefined : products.data?.pages[0]?.list[0]?.productID
  const productID = params.get('productID') ?? first
  // A fresh address: tab, filters and page of the product before do not come along.
  const open = (chosen: string) => void navigate(productConfigPath(chosen))
  const waiting = Object.keys(drafts)
  const alone = phone && productID !== undefined
  return (
    <div className={phone ? 'config-phone' : undefined}>
      {!alone && (
        <PageHeading
          title={t('远程配置')}
          subtitle={!phone && t('按产品保存配置的版本，下发给设备；设备也可以随时主动请求最新版本')}
        />
      )}
      <div className={phone ? undefined : 'side-layout top gap-16 grid'}>
        {!alone && <ProductList chosen={productID} drafts={new Set(waiting)} onChoose={open} />}
        {productID !== undefined && (
          <ConfigPane
            key={productID}
            productID={productID}
            draft={drafts[productID]}
            onDraft={(draft) => set(productID, draft)}
            onBack={phone ? () => void navigate(paths.remoteConfig) : undefined}
          />
        )}
        {productID === undefined && !phone && products.isSuccess && (
          <div className="list-card">
            <StateBlock
              variant="empty"
              title={t('选择一个产品')}
              text={t('左侧选择产品后，在这里编辑和下发它的配置。')}
            />
          </div>
        )}
      </div>
      <LeaveGuard
        dirty={waiting.length > 0}
        text={t('有 {count} 个产品的配置草稿还没有保存，离开后草稿会丢失。', { count: waiting.length })}
      />
    </div>
  )
}
