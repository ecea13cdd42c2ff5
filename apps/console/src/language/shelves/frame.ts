/** What the frame and the lists show, in one file (docs/design/language.md). */
import contract from '@ithings/contract/en.json'
import frame from '#app/en-frame.json'
import blocks from '#blocks/en.json'
import kit from '#kit/en.json'

export const texts = [frame, kit, blocks, contract]
