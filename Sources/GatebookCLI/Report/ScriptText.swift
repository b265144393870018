internal import Gatebook

extension JSON {
  /// The value on one line, for a script's block in a page.
  ///
  /// HTML Standard, section 4.12.1.3: `</script` and `<!--` would end or change the block, so nothing
  /// that could begin markup stands in it as itself.
  var scriptBytes: [UInt8] {
    var bytes: [UInt8] = []
    for byte in encoded {
      switch byte {
      case UInt8(ascii: "<"): bytes.add("\\u003c")
      case UInt8(ascii: ">"): bytes.add("\\u003e")
      case UInt8(ascii: "&"): bytes.add("\\u0026")
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, which is what a script counts in.
  var milliseconds: Int64 {
    let (quotient, rest) = rawValue.quotientAndRemainder(dividingBy: 1_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
