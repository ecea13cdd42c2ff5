import { Button, Modal, Steps } from 'antd'
import { useNavigate } from 'react-router'
import { Copyable } from '#kit/copyable.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { newDevicePath, productPath } from '../paths.ts'

interface NextStepsProps {
  product: { productID: string; productName: string } | undefined
  onClose: () => void
}

/** screens.md 3: what to do with a new product, in order. */
export function NextSteps({ product, onClose }: NextStepsProps) {
  const navigate = useNavigate()
  const phone = usePhone()
  const go = (path: string) => () => {
    onClose()
    void navigate(path)
  }
  return (
    <Modal
      title="产品已创建，接下来"
      open={product !== undefined}
      onCancel={onClose}
      width={phone ? '100%' : 520}
      className={phone ? 'form-modal-phone' : ''}
      destroyOnHidden
      footer={<Button onClick={onClose}>稍后再说</Button>}
    >
      {product && (
        <>
          <p className="next-steps-product row wrap bold">
            {product.productName} <Copyable text={product.productID} />
          </p>
          <Steps
            orientation="vertical"
            current={0}
            items={[
              {
                title: '定义物模型',
                content: (
                  <span className="next-step">
                    <span>属性、事件和行为，决定设备能上报什么、能被怎样控制。</span>
                    <Button type="primary" onClick={go(productPath(product.productID, 'model'))}>
                      去定义
                    </Button>
                  </span>
                ),
              },
              {
                title: '新增设备',
                content: (
                  <span className="next-step">
                    <span>逐台新增、批量新增或用 CSV 导入。</span>
                    <Button onClick={go(newDevicePath(product.productID))}>去新增</Button>
                  </span>
                ),
              },
              {
                title: '复制连接参数',
                content: (
                  <span className="next-step">
                    <span>地址、客户端 ID、密码规则和示例代码。</span>
                    <Button onClick={go(productPath(product.productID, 'info'))}>去复制</Button>
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
    </Modal>
  )
}
