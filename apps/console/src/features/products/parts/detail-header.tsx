import { DownOutlined, EditOutlined, UnorderedListOutlined } from '@ant-design/icons'
import {
  createProduct,
  deleteProduct,
  netTypeLabels,
  type Product,
  updateProduct,
} from '@ithings/contract/features/products.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import { DeviceTypeTag } from '#blocks/device-status.tsx'
import { Fact } from '#blocks/fact.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { usePageName } from '#kit/page-name.ts'
import { devicesOfProductPath, newAlarmPath, paths } from '#kit/paths.ts'
import { ActButton, useHeld } from '#kit/rights.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { countWords } from '../model-counts.ts'
import { useProductDialogs } from './product-dialogs.tsx'
import { ProductFace } from './product-face.tsx'
import { useProductActions } from './use-product-actions.tsx'

/** look.md 13: tile, title with its tag, one line of keys and values, three buttons. */
export function DetailHeader({ product }: { product: Product }) {
  const navigate = useNavigate()
  const held = useHeld()
  const { ask, dialog } = useProductDialogs()
  const { exportTsl, exportProducts, remove } = useProductActions()
  const { productID, productName, onlineCount, deviceCount, propertyCount, eventCount, actionCount } = product
  usePageName(productName)
  return (
    <header className="product-page-header relative gap-8-16 container-fill flex top">
      <ProductFace product={product} size={48} />
      <div className="grow shrink">
        <h1 className="size-20 line-28 row bare bold gap-12">
          <span className="cut" title={productName}>
            {productName}
          </span>
          <DeviceTypeTag value={product.deviceType} />
        </h1>
        <dl className="product-page-facts size-13 flex wrap bare">
          <Fact label={t('产品 ID')}>
            <Copyable text={productID} />
          </Fact>
          <Fact label={t('设备', { context: 'list' })}>
            {deviceCount > 0
              ? t('{online, number} 在线 / {total, number}', { online: onlineCount, total: deviceCount })
              : t('暂无')}
          </Fact>
          <Fact label={t('物模型')}>
            {t(
              '属性 {properties}，事件 {events}，行为 {actions}',
              countWords({ properties: propertyCount, events: eventCount, actions: actionCount }),
            )}
          </Fact>
          <Fact label={t('通讯方式')}>{labelOf(netTypeLabels, product.netType)}</Fact>
        </dl>
      </div>
      <div className="product-page-actions flex wrap gap-8">
        <ActButton needs={updateProduct} icon={<EditOutlined />} onClick={() => ask({ kind: 'edit', product })}>
          {t('编辑')}
        </ActButton>
        <Button icon={<UnorderedListOutlined />} onClick={() => void navigate(devicesOfProductPath(productID))}>
          {t('查看设备', { context: 'many' })}
        </Button>
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: held([
              {
                key: 'alarm',
                label: t('新增告警'),
                needs: createScene,
                onClick: (): void => void navigate(newAlarmPath({ productID })),
              },
              {
                key: 'copy',
                label: t('复制产品'),
                needs: createProduct,
                onClick: () => ask({ kind: 'copy', product }),
              },
              { key: 'tsl', label: t('导出物模型'), needs: readTsl, onClick: () => exportTsl(product) },
              { key: 'export', label: t('导出产品'), needs: readTsl, onClick: () => exportProducts([product]) },
              {
                key: 'delete',
                label: t('删除'),
                needs: deleteProduct,
                onClick: () => remove(product, () => void navigate(paths.products)),
              },
            ]),
          }}
        >
          <Button>
            {t('更多')} <DownOutlined />
          </Button>
        </Dropdown>
      </div>
      {dialog}
    </header>
  )
}
