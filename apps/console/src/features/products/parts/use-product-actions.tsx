import type { Product } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import { downloadText } from '#kit/download.ts'
import { devicesOfProductPath } from '#kit/paths.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { fileNameOf, packProducts } from '../product-file.ts'
import { useProductWork } from '../queries.ts'

/** The list carries no secrets and no models, so exports read them product by product. */
export function useProductActions() {
  const { message, modal } = App.useApp()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const work = useProductWork()

  const orTell = (job: Promise<unknown>) =>
    void job.catch((error: unknown) => message.error(t('导出失败：{reason}', { reason: describeError(error).reason })))

  const exportTsl = (product: Product) =>
    orTell(work.tsl(product.productID).then((tsl) => downloadText(tsl, `${fileNameOf(product.productName)}-tsl.json`)))

  const exportProducts = (products: readonly Product[]) =>
    orTell(
      (async () => {
        const packed = []
        for (const product of products) packed.push({ product, tsl: await work.tsl(product.productID) })
        const [first] = products
        const name =
          products.length === 1 && first
            ? fileNameOf(first.productName)
            : t('{count}个产品', { count: products.length })
        downloadText(packProducts(packed), t('{name}-产品.json', { name }))
        void message.success(t('已导出 {count} 个产品', { count: products.length }))
      })(),
    )

  /** screens.md 3: blocked with the reason and the way to its devices, before the server has to refuse. */
  const remove = (product: Product, onRemoved?: () => void) => {
    const { productID, productName, deviceCount } = product
    if (deviceCount > 0) {
      modal.confirm({
        title: t('不能删除产品「{name}」', { name: productName }),
        content: t('它还有 {count, number} 台设备。删除这些设备之后，才能删除产品。', { count: deviceCount }),
        okText: t('查看设备', { context: 'many' }),
        cancelText: t('关闭'),
        onOk: () => navigate(devicesOfProductPath(productID)),
      })
      return
    }
    confirm({
      title: t('删除产品「{name}」？', { name: productName }),
      content: t('产品信息、物模型及其历史版本、消息解析脚本一并删除，无法恢复。'),
      danger: true,
      okText: t('删除'),
      onOk: async () => {
        await work.remove(productID)
        void message.success(t('删除成功'))
        onRemoved?.()
      },
    })
  }
  return { exportTsl, exportProducts, remove }
}
