import type { Product } from '@ithings/contract/features/products.ts'
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
    void job.catch((error: unknown) => message.error(`导出失败：${describeError(error).reason}`))

  const exportTsl = (product: Product) =>
    orTell(work.tsl(product.productID).then((tsl) => downloadText(tsl, `${fileNameOf(product.productName)}-tsl.json`)))

  const exportProducts = (products: readonly Product[]) =>
    orTell(
      (async () => {
        const packed = []
        for (const product of products) packed.push({ product, tsl: await work.tsl(product.productID) })
        const [first] = products
        const name = products.length === 1 && first ? fileNameOf(first.productName) : `${products.length}个产品`
        downloadText(packProducts(packed), `${name}-产品.json`)
        void message.success(`已导出 ${products.length} 个产品`)
      })(),
    )

  /** screens.md 3: blocked with the reason and the way to its devices, before the server has to refuse. */
  const remove = (product: Product, onRemoved?: () => void) => {
    const { productID, productName, deviceCount } = product
    if (deviceCount > 0) {
      modal.confirm({
        title: `不能删除产品「${productName}」`,
        content: `它还有 ${deviceCount.toLocaleString()} 台设备。删除这些设备之后，才能删除产品。`,
        okText: '查看设备',
        cancelText: '关闭',
        onOk: () => navigate(devicesOfProductPath(productID)),
      })
      return
    }
    confirm({
      title: `删除产品「${productName}」？`,
      content: '产品信息、物模型及其历史版本、消息解析脚本一并删除，无法恢复。',
      danger: true,
      okText: '删除',
      onOk: async () => {
        await work.remove(productID)
        void message.success('删除成功')
        onRemoved?.()
      },
    })
  }
  return { exportTsl, exportProducts, remove }
}
