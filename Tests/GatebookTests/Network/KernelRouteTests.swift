import Testing

@testable import Gatebook

/// What the kernel's answers mean, from bytes as rtnetlink(7) lays them out.
@Suite struct KernelRouteTests {
  /// A route message: its header and its attributes.
  struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var family: UInt8 = 2
    var bits: UInt8 = 0
    var type: UInt8 = 1
    var flags: UInt32 = 0
    var attributes: [[UInt8]] = [device(2)]
    let reach: NetworkReach

    var message: [UInt8] {
      [family, bits, 0, 0, 254, 3, 0, type] + sized(flags) + attributes.flatMap(\.self)
    }
  }

  private static let samples: [Sample] = [
    Sample(testDescription: "a default route", reach: .everywhere),
    Sample(testDescription: "one of IPv6", family: 10, reach: .everywhere),
    Sample(
      testDescription: "a network", bits: 24,
      attributes: [attribute(1, [192, 0, 2, 0]), device(2)],
      reach: .attached),
    Sample(
      testDescription: "through the loopback device", attributes: [device(1)], reach: .nowhere),
    Sample(testDescription: "of a next hop without a device", attributes: [], reach: .everywhere),
    Sample(testDescription: "unreachable", type: 7, reach: .nowhere),
    Sample(testDescription: "local", bits: 32, type: 2, reach: .nowhere),
    Sample(testDescription: "of a cache", flags: 0x200, reach: .nowhere),
    Sample(testDescription: "dead", flags: 0x1, reach: .nowhere),
    Sample(testDescription: "without a carrier", flags: 0x10, reach: .nowhere),
    Sample(testDescription: "multicast", family: 128, reach: .nowhere),
    Sample(
      testDescription: "link-local", bits: 16,
      attributes: [attribute(1, [169, 254, 0, 0]), device(2)], reach: .nowhere),
    Sample(
      testDescription: "link-local of IPv6", family: 10, bits: 64,
      attributes: [attribute(1, [0xFE, 0x80] + [UInt8](repeating: 0, count: 14)), device(2)],
      reach: .nowhere),
    Sample(
      testDescription: "two hops, one dead",
      attributes: [attribute(9, hop(2, flags: 0x1) + hop(3, flags: 0))], reach: .everywhere),
    Sample(
      testDescription: "two dead hops",
      attributes: [attribute(9, hop(2, flags: 0x10) + hop(3, flags: 0x1))], reach: .nowhere),
  ]

  @Test(arguments: samples)
  func `a route reaches as far as it says`(_ sample: Sample) throws {
    #expect(try #require(KernelRoute(sample.message[...])).reach == sample.reach)
  }

  @Test func `an answer in parts reaches as far as its farthest route`() throws {
    let near = Sample(
      testDescription: "", bits: 24, attributes: [Self.attribute(1, [192, 0, 2, 0])],
      reach: .attached)
    // An attribute of 3 bytes: the next message begins at a multiple of 4.
    let far = Sample(
      testDescription: "", attributes: [Self.attribute(30, [1, 2, 3])], reach: .everywhere)
    let first = Self.message(16, [0, 0]) + Self.message(24, near.message)
    let begun = try #require(Self.answer(first))
    #expect(begun.reach == .attached)
    #expect(!begun.isComplete)
    let second = Self.message(24, far.message) + Self.message(3, [0, 0, 0, 0])
    let whole = try #require(Self.answer(first, second))
    #expect(whole.reach == .everywhere)
    #expect(whole.isComplete)
  }

  @Test func `a refusal and cut messages are no answer`() {
    let whole = Self.message(24, Self.samples[0].message)
    #expect(Self.answer(Self.message(2, [255, 255, 255, 255])) == nil)
    for count in 1..<whole.count { #expect(Self.answer(Array(whole[..<count])) == nil) }
    #expect(Self.answer([4, 0, 0, 0] + whole.dropFirst(4)) == nil)
    // A message of the right length whose content is cut says nothing, and harms nothing.
    for count in 0..<Self.samples[0].message.count {
      let cut = Array(Self.samples[0].message[..<count])
      #expect(Self.answer(Self.message(24, cut))?.isComplete == false)
    }
  }

  /// What parts tell; `nil` where one is no answer.
  private static func answer(_ parts: [UInt8]...) -> RouteAnswer? {
    var answer = RouteAnswer()
    for part in parts {
      guard answer.take(part[...]) else { return nil }
    }
    return answer
  }

  private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    let bytes = sized(UInt16(value.count + 4)) + sized(type) + value
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  private static func hop(_ device: Int32, flags: UInt8) -> [UInt8] {
    sized(UInt16(8)) + [flags, 0] + sized(device)
  }

  private static func message(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
    let head = sized(UInt32(16 + content.count)) + sized(type)
    let bytes = head + [UInt8](repeating: 0, count: 10) + content
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}

/// A number in the machine's own order.
private func sized<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number) { Array($0) }
}

private func device(_ number: Int32) -> [UInt8] { [8, 0, 4, 0] + sized(number) }
