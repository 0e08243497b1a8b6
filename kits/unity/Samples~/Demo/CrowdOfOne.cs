// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using TrueVAT;
using UnityEngine;

/// <summary>Fills a square with instances of one bake, each with its own clip, phase and speed.</summary>
public sealed class CrowdOfOne : MonoBehaviour
{
    [Tooltip("A bake's prefab: drag a .truevat.json here.")]
    public GameObject bake;
    public int rows = 32;
    public float spacing = 3;

    void Start()
    {
        TrueVATCrowd crowd = gameObject.AddComponent<TrueVATCrowd>();
        crowd.clips = bake.GetComponent<TrueVATPlayer>().clips;
        crowd.mesh = bake.GetComponentInChildren<MeshFilter>().sharedMesh;
        crowd.materials = bake.GetComponentInChildren<MeshRenderer>().sharedMaterials;
        for (int i = 0; i < rows * rows; i++)
        {
            Vector3 place = new Vector3(i % rows, 0, i / rows) * spacing;
            Matrix4x4 matrix = transform.localToWorldMatrix * Matrix4x4.Translate(place);
            int clip = Random.Range(0, crowd.clips.clips.Length);
            float length = (float)crowd.clips.clips[clip].Length;
            crowd.Add(matrix, clip, Random.Range(0f, length), Random.Range(0.75f, 1.25f));
        }
    }
}
