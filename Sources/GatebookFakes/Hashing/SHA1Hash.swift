/// SHA-1 (FIPS 180-4 section 6.1.2), which OAuth 1.0a still signs with.
enum SHA1Hash {
  /// The 20 bytes of a message's hash.
  static func of(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in PaddedBlocks.of(message, isBigEndian: true) {
      let mixed = rounds(state, schedule(block))
      state = zip(state, mixed).map { $0 &+ $1 }
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  private static func schedule(_ block: [UInt32]) -> [UInt32] {
    var words = block
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(mixed.turned(1))
    }
    return words
  }

  private static func rounds(_ start: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var state = start
    for index in 0..<80 {
      let (b, c, d) = (state[1], state[2], state[3])
      let part: (choice: UInt32, constant: UInt32) =
        switch index {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let first = state[0].turned(5) &+ part.choice &+ state[4] &+ part.constant &+ words[index]
      state = [first, state[0], b.turned(30), c, d]
    }
    return state
  }
}
