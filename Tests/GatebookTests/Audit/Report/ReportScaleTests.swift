internal import Testing

@testable internal import Gatebook

/// `ReportScale`.
struct ReportScaleTests {
  @Test(
    arguments: [
      [0], [0, 1], [0, 86_400_000_000], [1_767_600_000_000_000, 0], [-1, 1], [1, -5_000_000_000],
      [-62_135_596_800_000_000, 253_402_300_799_999_999], [.min / 8, .max / 8],
    ] as [[Int64]])
  func `few bins cover any time`(_ moments: [Int64]) {
    var scale = ReportScale()
    for moment in moments { _ = scale.include(Timestamp(rawValue: moment)) }
    let bins = moments.map { scale.bin(of: Timestamp(rawValue: $0)) }
    let count = (bins.max() ?? 0) - (bins.min() ?? 0) + 1
    #expect(count <= ReportScale.limit)
    for (moment, bin) in zip(moments, bins) {
      #expect(scale.start(of: bin).rawValue <= moment)
      #expect(moment - scale.start(of: bin).rawValue < scale.width)
    }
  }

  @Test func `a bin goes where its neighbour goes`() {
    var scale = ReportScale()
    let moments = (0..<5000).map { Timestamp(rawValue: Int64($0) * 977_777_777) }
    var bins: [Int64: Int] = [:]
    for moment in moments {
      let times = scale.include(moment)
      if times > 0 {
        bins = Dictionary(bins.map { ($0.key >> times, $0.value) }, uniquingKeysWith: +)
      }
      bins[scale.bin(of: moment), default: 0] += 1
    }
    #expect(bins == Dictionary(moments.map { (scale.bin(of: $0), 1) }, uniquingKeysWith: +))
  }
}
