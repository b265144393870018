/// Finds the word that was probably meant.
enum NearMiss {
  /// The candidate that is few enough slips away; `nil` when none is, or two are equally near.
  ///
  /// - Parameters:
  ///   - word: What was written.
  ///   - candidates: What could have been meant.
  /// - Returns: The one nearest candidate.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let near = equallyNear(word, candidates)
    if near.count == 1 { return near[0] }
    let longer = candidates.filter { word.count > 2 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// The candidates that are the fewest slips away, and few enough.
  private static func equallyNear(_ word: String, _ candidates: [String]) -> [String] {
    let limit = word.count <= 4 ? 1 : word.count <= 7 ? 2 : 3
    let near = candidates.map { (candidate: $0, slips: slips(from: word, to: $0)) }
    let least = near.map(\.slips).min() ?? 0
    return near.filter { $0.slips == least && least <= limit }.map(\.candidate)
  }

  /// The candidates that were probably meant: all that begin with the word, which somebody left
  /// unfinished, else the nearest ones, three at most.
  static func likely(_ word: String, among candidates: [String]) -> [String] {
    let longer = candidates.filter { word.count > 2 && $0.hasPrefix(word.lowercased()) }
    guard longer.isEmpty else { return longer }
    let near = equallyNear(word, candidates)
    return near.count <= 3 ? near : []
  }

  /// The least number of letters to insert, remove, replace or swap with their neighbour (the
  /// optimal string alignment distance).
  static func slips(from left: String, to right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var twoBack: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, twoBack[column - 1] + 1)
        }
        current.append(best)
      }
      twoBack = previous
      previous = current
    }
    return previous[right.count]
  }
}
