import { DeleteOutlined, DownloadOutlined, ImportOutlined, TagOutlined } from '@ant-design/icons'
import { createProduct, deleteProduct, type Product, updateProduct } from '@ithings/contract/features/products.ts'
import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { deviceTypeOptions } from '#blocks/device-status.tsx'
import { useStepsBegun } from '#blocks/first-steps/use-first-steps.ts'
import { tagFilterField, tagsOf } from '#blocks/tags.tsx'
import { useView, ViewSwitch } from '#blocks/view-switch.tsx'
import type { FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { productPath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { netTypeOptions } from '../labels.ts'
import { productColumns } from '../parts/product-columns.tsx'
import { useProductDialogs } from '../parts/product-dialogs.tsx'
import '../parts/products.css'
import { useProductActions } from '../parts/use-product-actions.tsx'
import { productsQuery, seenTags } from '../queries.ts'

// Behind their buttons: the list does not wait for forms.
const CreateForm = lazy(async () => ({ default: (await import('../parts/create-form.tsx')).CreateForm }))
const ImportDrawer = lazy(async () => ({ default: (await import('../parts/import-drawer.tsx')).ImportDrawer }))
const NextSteps = lazy(async () => ({ default: (await import('../parts/next-steps.tsx')).NextSteps }))

/** New products by hand, with what to do next, or from a file. Drawn once opened, so that closing can be seen. */
function useNewProducts() {
  const [creating, setCreating] = useState<boolean>()
  const [importing, setImporting] = useState<boolean>()
  const [created, setCreated] = useState<{ productID: string; productName: string }>()
  const dialogs = (
    <Suspense fallback={null}>
      {creating !== undefined && (
        <CreateForm open={creating} onClose={() => setCreating(false)} onCreated={setCreated} />
      )}
      {importing !== undefined && <ImportDrawer open={importing} onClose={() => setImporting(false)} />}
      {creating !== undefined && <NextSteps product={created} onClose={() => setCreated(undefined)} />}
    </Suspense>
  )
  return { create: () => setCreating(true), takeFile: () => setImporting(true), dialogs }
}

type Steps = ComponentType<{ onNewProduct: () => void }>
const nothing: Steps = () => null
/** The list waits for it, so that nothing moves when it comes, and is whole without it. */
const FirstSteps = lazy<Steps>(async () => ({
  default: await import('#blocks/first-steps/first-steps.tsx').then(
    (loaded): Steps => loaded.FirstSteps,
    () => nothing,
  ),
}))

interface Filter {
  productName?: string
  deviceType?: number
  netType?: number
  tags?: string
}

function useRowActions(ask: ReturnType<typeof useProductDialogs>['ask']) {
  const navigate = useNavigate()
  const { exportTsl, exportProducts, remove } = useProductActions()
  return (product: Product): RowAction[] => [
    { key: 'view', label: t('查看'), onClick: () => void navigate(productPath(product.productID)) },
    { key: 'edit', label: t('编辑'), needs: updateProduct, onClick: () => ask({ kind: 'edit', product }) },
    { key: 'copy', label: t('复制产品'), needs: createProduct, onClick: () => ask({ kind: 'copy', product }) },
    { key: 'tsl', label: t('导出物模型'), needs: readTsl, onClick: () => exportTsl(product) },
    { key: 'export', label: t('导出产品'), needs: readTsl, onClick: () => exportProducts([product]) },
    { key: 'delete', label: t('删除'), needs: deleteProduct, danger: true, onClick: () => remove(product) },
  ]
}

interface SelectionButtonsProps {
  products: readonly Product[]
  onAsk: (kind: 'tags' | 'delete') => void
}

function SelectionButtons({ products, onAsk }: SelectionButtonsProps) {
  const { exportProducts } = useProductActions()
  return (
    <>
      <ActButton needs={updateProduct} type="text" icon={<TagOutlined />} onClick={() => onAsk('tags')}>
        {t('设置标签')}
      </ActButton>
      <ActButton needs={readTsl} type="text" icon={<DownloadOutlined />} onClick={() => exportProducts(products)}>
        {t('导出产品')}
      </ActButton>
      <ActButton needs={deleteProduct} type="text" icon={<DeleteOutlined />} onClick={() => onAsk('delete')}>
        {t('删除')}
      </ActButton>
    </>
  )
}

/** screens.md 3. */
export function ProductList() {
  const phone = usePhone()
  const client = useQueryClient()
  const [view, setView] = useView('product')
  const { ask, dialog } = useProductDialogs()
  const actionsOf = useRowActions(ask)
  const adding = useNewProducts()
  const stepsBegun = useStepsBegun()

  const filters = useMemo<FilterField[]>(
    () => [
      { name: 'productName', label: t('产品名称'), control: 'text', placeholder: t('输入名称或产品 ID'), width: 180 },
      { name: 'deviceType', label: t('设备类型'), control: 'select', options: deviceTypeOptions, width: 104 },
      { name: 'netType', label: t('通讯方式'), control: 'select', options: netTypeOptions, width: 120, advanced: true },
      tagFilterField(t('产品标签'), () => seenTags(client)),
    ],
    [client],
  )
  return (
    <div className={view === 'card' && !phone ? 'product-list list-cards product-cards' : 'product-list'}>
      {stepsBegun && <FirstSteps onNewProduct={adding.create} />}
      <ListPage<Product, Filter>
        title={t('产品', { context: 'list' })}
        exportName={t('产品', { context: 'list' })}
        subtitle={t('定义一类设备的物模型、通讯与认证方式')}
        create={{ text: t('新增产品'), needs: createProduct, onClick: adding.create }}
        extra={
          <ActButton needs={createProduct} icon={<ImportOutlined />} onClick={adding.takeFile}>
            {t('导入')}
          </ActButton>
        }
        filters={filters}
        columns={productColumns}
        rowKey="productID"
        storageKey="products"
        query={({ page, filters: { tags, ...wanted } }) => productsQuery({ page, ...wanted, ...tagsOf(tags) })}
        rowActions={actionsOf}
        toolbarExtra={!phone && <ViewSwitch value={view} onChange={setView} />}
        selection={{
          unit: t('个产品'),
          needs: [updateProduct, readTsl, deleteProduct],
          actions: (products, done) => (
            <SelectionButtons products={products} onAsk={(kind) => ask({ kind, products, done })} />
          ),
        }}
        empty={{
          title: t('还没有产品'),
          text: t('产品是一类相同设备的模板。先新增产品，再定义物模型、新增设备。'),
        }}
      />
      {dialog}
      {adding.dialogs}
    </div>
  )
}
