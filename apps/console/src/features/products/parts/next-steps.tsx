import { t } from '@ithings/contract/text.ts'
import { Button, Steps } from 'antd'
import { useNavigate } from 'react-router'
import { Copyable } from '#kit/copyable.tsx'
import { newDevicePath, productPath } from '#kit/paths.ts'
import { PhoneModal } from '#kit/phone-modal.tsx'

interface NextStepsProps {
  product: { productID: string; productName: string } | undefined
  onClose: () => void
}

/** screens.md 3: what to do with a new product, in order. */
export function NextSteps({ product, onClose }: NextStepsProps) {
  const navigate = useNavigate()
  const go = (path: string) => () => {
    onClose()
    void navigate(path)
  }
  const step = (title: string, text: string, button: string, path: string, first = false) => ({
    title,
    content: (
      <span className="row between gap-16" style={{ paddingBottom: 16 }}>
        <span>{text}</span>
        <Button type={first ? 'primary' : 'default'} onClick={go(path)}>
          {button}
        </Button>
      </span>
    ),
  })
  return (
    <PhoneModal
      title={t('产品已创建，接下来')}
      open={product !== undefined}
      onCancel={onClose}
      width={520}
      destroyOnHidden
      footer={<Button onClick={onClose}>{t('稍后再说')}</Button>}
    >
      {product && (
        <>
          <p className="bare below-16 row wrap bold gap-12 tight">
            {product.productName} <Copyable text={product.productID} />
          </p>
          <Steps
            orientation="vertical"
            current={0}
            items={[
              step(
                t('定义物模型'),
                t('属性、事件和行为，决定设备能上报什么、能被怎样控制。'),
                t('去定义'),
                productPath(product.productID, 'model'),
                true,
              ),
              step(
                t('新增设备'),
                t('逐台新增、批量新增或用 CSV 导入。'),
                t('去新增'),
                newDevicePath(product.productID),
              ),
              step(
                t('复制连接参数'),
                t('地址、客户端 ID、密码规则和示例代码。'),
                t('去复制'),
                productPath(product.productID, 'info'),
              ),
            ]}
          />
        </>
      )}
    </PhoneModal>
  )
}
